import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../../../src/lint/config/parseConfig.ts';
import { rules } from '../../../../src/lint/rules/all.ts';
import { unusedSuppression } from '../../../../src/lint/rules/unusedSuppression.ts';

interface Schema {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly definitions: {
    readonly severity: { readonly enum: readonly string[] };
    readonly confidence: { readonly enum: readonly string[] };
    readonly rules: { readonly properties: Readonly<Record<string, { readonly default: string }>> };
  };
}

const root = path.resolve(import.meta.dirname, '../../../..');
const read = (file: string): unknown => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
const schema = read('media/schemas/faultline.config.schema.json') as Schema;
const metas = [unusedSuppression, ...rules].map(({ meta }) => meta);

describe('the schema of the configuration', () => {
  it('knows every rule by its code and its name, with its severity', () => {
    const known = Object.entries(schema.definitions.rules.properties).map(([key, { default: severity }]) => [
      key,
      severity,
    ]);
    expect(Object.fromEntries(known)).toEqual(
      Object.fromEntries(
        metas.flatMap(({ code, name, severity }) => [
          [code, severity],
          [name, severity],
        ]),
      ),
    );
  });

  it('takes what the reader takes', () => {
    const { severity, confidence } = schema.definitions;
    const all = Object.keys(schema.definitions.rules.properties);
    for (const choice of severity.enum) {
      expect(parseConfig({ rules: Object.fromEntries(all.map((key) => [key, choice])) }, '/').problems).toEqual([]);
    }
    for (const choice of confidence.enum) {
      expect(parseConfig({ confidence: choice }, '/').problems).toEqual([]);
    }
    const keys = Object.keys(schema.properties);
    expect(parseConfig(Object.fromEntries(keys.map((key) => [key, undefined])), '/').problems).toEqual([]);
  });

  it('is what the editor completes by', () => {
    const { contributes } = read('package.json') as {
      readonly contributes: {
        readonly jsonValidation: readonly { readonly url: string; readonly fileMatch: string }[];
      };
    };
    expect(contributes.jsonValidation).toContainEqual({
      fileMatch: 'faultline.config.json',
      url: './media/schemas/faultline.config.schema.json',
    });
  });
});
