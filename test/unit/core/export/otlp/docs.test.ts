import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ATTR, METRIC, OWN } from '../../../../../src/core/export/otlp/conventions.ts';
import { OUTCOME_KINDS } from '../../../../../src/protocol/outcome.ts';

const { load } = createRequire(import.meta.url)('js-yaml') as { load(yaml: string): unknown };
const root = path.resolve(import.meta.dirname, '../../../../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const otel = read('docs/otel.md');
const scale = read('docs/scale.md');

/** `faultline.attempt.number` and `.max` in a row of a table are both meant whole. */
function isDocumented(name: string): boolean {
  const dot = name.lastIndexOf('.');
  return (
    otel.includes(`\`${name}\``) ||
    otel.split('\n').some((row) => row.includes(`\`${name.slice(0, dot)}.`) && row.includes(`\`${name.slice(dot)}\``))
  );
}

describe('docs/otel.md', () => {
  it.each([...Object.values(ATTR), ...Object.values(OWN), ...Object.values(METRIC)])('documents %s', (name) => {
    expect(isDocumented(name)).toBe(true);
  });

  it('names every variable that is read', () => {
    const source = read('src/core/export/otlp/settings.ts');
    const variables = [...source.matchAll(/'(OTEL_[A-Z_]+)'/g)].map(([, name]) => name ?? '');
    expect(variables.length).toBeGreaterThan(8);
    const missing = variables.filter(
      (name) =>
        !otel.includes(name) && !(name.startsWith('OTEL_EXPORTER_OTLP_') && otel.includes(`\`${name.slice(19)}\``)),
    );
    expect(missing).toEqual([]);
  });

  it('names every setting', () => {
    const settings = Object.keys(JSON.parse(read('package.json')).contributes.configuration.properties)
      .filter((name) => name.startsWith('faultline.otlp.'))
      .map((name) => name.slice('faultline.otlp.'.length));
    const missing = settings.filter(
      (name) => !otel.includes(`\`${name}\``) && !otel.includes(`\`faultline.otlp.${name}\``),
    );
    expect([settings.length > 10, missing]).toEqual([true, []]);
  });
});

interface Config {
  readonly receivers: object;
  readonly processors: { readonly tail_sampling: { readonly policies: readonly Policy[] } };
  readonly exporters: object;
  readonly service: { readonly pipelines: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> };
}

interface Policy {
  readonly name: string;
  readonly type: string;
  readonly [settings: string]: unknown;
}

describe('the collector of docs/scale.md', () => {
  const config = load(/```yaml\n([\s\S]*?)```/.exec(scale)?.[1] ?? '') as Config;

  it('uses only what it defines, and all of it', () => {
    const { receivers, processors, exporters, service } = config;
    const used = new Set(Object.values(service.pipelines).flatMap((pipeline) => Object.values(pipeline).flat()));
    const defined = [receivers, processors, exporters].flatMap((part) => Object.keys(part));
    expect([...used].sort()).toEqual(defined.sort());
    for (const { processors: of } of Object.values(service.pipelines)) {
      expect(of?.[0]).toBe('memory_limiter');
      expect(of?.at(-1)).toBe('batch');
    }
  });

  it('keeps what is no error to the conventions by names that spans have', () => {
    const { policies } = config.processors.tail_sampling;
    // Each policy has its settings under its type, or `<type>` without any.
    expect(policies.filter((policy) => policy[policy.type] === undefined)).toEqual([]);
    const outcomes = policies.find(({ type }) => type === 'string_attribute')?.['string_attribute'] as {
      readonly key: string;
      readonly values: readonly string[];
    };
    expect(outcomes.key).toBe(OWN.outcome);
    expect(outcomes.values.filter((value) => !OUTCOME_KINDS.some((kind) => kind === value))).toEqual([]);
    const attempts = policies.find(({ type }) => type === 'numeric_attribute')?.['numeric_attribute'];
    expect(attempts).toMatchObject({ key: OWN.attempts });
  });
});
