/**
 * A fresh process that loads and activates the extension once and prints how long each took, as JSON:
 * `activationProcess.ts <folder of the built extension> <storage folder>`.
 */
import { readFileSync, writeSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { contextStub, type SettingDefaults, vscodeStub } from './vscodeStub.ts';

type Load = (request: string, ...others: readonly unknown[]) => unknown;

const [folder = '', storage = ''] = process.argv.slice(2);
const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
const stub = vscodeStub(defaultsOf(manifest.contributes?.configuration));
const context = contextStub(folder, storage, manifest);

// How the extension host provides the module, too: there is no file of that name.
const loader = Module as unknown as { _load: Load };
const load = loader._load;
loader._load = (request, ...others) => (request === 'vscode' ? stub : load.call(Module, request, ...others));

try {
  const start = performance.now();
  const extension = createRequire(import.meta.url)(path.join(folder, 'dist', 'extension.js'));
  const loaded = performance.now();
  await extension.activate(context);
  const activated = performance.now();
  writeSync(1, JSON.stringify({ requireMs: loaded - start, activateMs: activated - loaded }));
  // Timers and watchers of the extension are not waited for.
  process.exit(0);
} catch (error) {
  // Node.js would print the line of the source, which is the whole bundle.
  writeSync(2, `${error instanceof Error ? error.stack : error}\n`);
  process.exit(1);
}

type Configuration = { readonly properties?: Readonly<Record<string, { readonly default?: unknown }>> };

function defaultsOf(configuration: Configuration | readonly Configuration[] | undefined): SettingDefaults {
  const sections = configuration === undefined ? [] : [configuration].flat();
  const properties = (sections as readonly Configuration[]).flatMap((section) =>
    Object.entries(section.properties ?? {}),
  );
  return Object.fromEntries(properties.map(([name, property]) => [name, property.default]));
}
