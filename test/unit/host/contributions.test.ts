import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMAND_IDS, SETTING_NAMES, VIEWS } from '../../../src/host/contributions.ts';
import { LANGUAGES } from '../../../src/host/lint/languages.ts';
import { OUTCOME_KINDS } from '../../../src/protocol/outcome.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const read = (file: string) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
const manifest = read('package.json');
const contributes = manifest.contributes;
const names: Record<string, string> = read('package.nls.json');

const camel = (kind: string) => kind.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

describe('the manifest', () => {
  it('contributes exactly the commands that the code knows', () => {
    const contributed = contributes.commands.map((command: { command: string }) => command.command);
    expect(contributed.sort()).toEqual(Object.keys(COMMAND_IDS).sort());
  });

  it('gives every command a title, a category and an icon', () => {
    for (const command of contributes.commands) {
      expect(command).toMatchObject({
        title: `%command.${command.command.replace('faultline.', '')}%`,
        category: 'Faultline',
        icon: expect.stringMatching(/^\$\([\w-]+\)$/),
      });
    }
  });

  it('contributes exactly the settings that the code reads', () => {
    expect(Object.keys(contributes.configuration.properties).sort()).toEqual(
      Object.keys(SETTING_NAMES)
        .map((name) => `faultline.${name}`)
        .sort(),
    );
  });

  it('has a colour in all four kinds of theme for each outcome and for the retry mark', () => {
    const ids = [...OUTCOME_KINDS.map((kind) => `faultline.${camel(kind)}`), 'faultline.retry'];
    expect(contributes.colors.map((color: { id: string }) => color.id).sort()).toEqual(ids.sort());
    for (const color of contributes.colors) {
      expect(Object.keys(color.defaults).sort()).toEqual(['dark', 'highContrast', 'highContrastLight', 'light']);
    }
  });

  it('names its views as the code does', () => {
    expect(contributes.views.faultline.map((view: { id: string }) => view.id)).toEqual([
      VIEWS.timeline,
      VIEWS.servers,
      VIEWS.findings,
    ]);
    expect(manifest.activationEvents).toContain(`onWebviewPanel:${VIEWS.editor}`);
  });

  it('resolves every %place% and has no unused name', () => {
    const used = [...JSON.stringify(manifest).matchAll(/"%([\w.]+)%"/g)].map((match) => match[1]);
    expect([...new Set(used)].sort()).toEqual(Object.keys(names).sort());
  });

  it('has a walkthrough of five steps, each with a picture and an end that a command brings', () => {
    const [walkthrough, ...others] = contributes.walkthroughs;
    expect(others).toEqual([]);
    expect(walkthrough.steps).toHaveLength(5);
    for (const { id, media, completionEvents } of walkthrough.steps) {
      expect(readFileSync(path.join(root, media.svg), 'utf8')).toMatch(/^<svg [^>]*aria-label="/);
      const unknown = completionEvents.filter((event: string) => !(event.replace('onCommand:', '') in COMMAND_IDS));
      expect({ id, unknown, ends: completionEvents.length > 0 }).toEqual({ id, unknown: [], ends: true });
      const links = [...(names[`walkthrough.${id}.description`] ?? '').matchAll(/\(command:(faultline\.\w+)/g)];
      expect(links.map(([, command]) => command).filter((command) => !((command ?? '') in COMMAND_IDS))).toEqual([]);
      expect(links.length).toBeGreaterThan(0);
    }
  });

  it('is activated by every language that is linted', () => {
    const languages = manifest.activationEvents.filter((event: string) => event.startsWith('onLanguage:'));
    expect(languages.sort()).toEqual([...LANGUAGES].map((language) => `onLanguage:${language}`).sort());
  });

  it('restricts every setting that names a command, a server or a trust in an untrusted workspace', () => {
    expect(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations).toEqual([
      'faultline.servers',
      'faultline.tools',
      'faultline.trustedServers',
      'faultline.watch',
      'faultline.tap.offerToAgent',
      'faultline.redact.names',
      'faultline.redact.exceptNames',
      'faultline.redact.patterns',
      'faultline.otlp.enabled',
      'faultline.otlp.endpoint',
      'faultline.otlp.headers',
      'faultline.otlp.certificate',
      'faultline.otlp.clientCertificate',
      'faultline.otlp.clientKey',
      'faultline.otlp.content',
      'faultline.otlp.injectTraceparent',
    ]);
  });
});
