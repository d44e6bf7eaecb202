import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';

const file = path.resolve(import.meta.dirname, '../../fixtures/sarif/sarif-schema-2.1.0.json');
// A schema of draft 4, of which it uses nothing that later drafts read otherwise but the keyword `id`.
const { $schema: _, id: __, ...schema } = JSON.parse(readFileSync(file, 'utf8'));
const ajv = new Ajv({ strict: false, allErrors: true });
addFormats(ajv);

/** Whether a value is a log by the schema of the SARIF 2.1.0 standard; what is wrong is in its `errors`. */
export const isSarif = ajv.compile(schema);
