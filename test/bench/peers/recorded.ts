import { readFileSync } from 'node:fs';
import path from 'node:path';
import { explainRecord } from '../../../src/core/classify/explain.ts';
import type { JsonObject, JsonValue } from '../../../src/protocol/jsonrpc.ts';
import { flagAlone } from './flagAlone.ts';
import { OURS, type PeerRow } from './row.ts';

const folder = path.resolve(import.meta.dirname, '../../fixtures/wire');

interface Labelled {
  readonly record: JsonObject;
  readonly outcome: string;
}

/** How often what became of a recorded exchange is told as a person has labelled it. */
export function recordedExchanges(): readonly PeerRow[] {
  return [
    // What is no call has no outcome that anybody could tell.
    ...rowsOf(
      'recorded exchanges',
      lines('wire.dev.jsonl')
        .map(labelledExchange)
        .filter(({ outcome }) => outcome !== 'not_a_call'),
    ),
    ...rowsOf('answers of tools', ['natural.jsonl', 'unseen.jsonl'].flatMap(lines).map(labelledAnswer)),
  ];
}

function rowsOf(what: string, all: readonly Labelled[]): readonly PeerRow[] {
  const row = (subject: string, outcomeOf: (record: JsonObject) => string): PeerRow => {
    const right = all.filter(({ record, outcome }) => outcomeOf(record) === outcome).length;
    return {
      measure: `${all.length} ${what}: outcome as labelled`,
      subject,
      value: right / all.length,
      unit: '',
      note: `${right} of ${all.length}`,
    };
  };
  return [
    row(OURS, (record) => explainRecord(record).outcome),
    row('the flag alone', (record) => flagAlone(record['response'])),
  ];
}

function lines(file: string): readonly JsonObject[] {
  return readFileSync(path.join(folder, file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

function labelledExchange({ expected, ...record }: JsonObject): Labelled {
  return { record, outcome: String((expected as JsonObject)['outcome']) };
}

/** An answer stands there by itself: a text, several, or structured content with its text. */
function labelledAnswer({ tool = '', args = {}, answer = null, outcome }: JsonObject, index: number): Labelled {
  const block = (value: JsonValue) => ({
    type: 'text',
    text: typeof value === 'string' ? value : JSON.stringify(value),
  });
  const content = (Array.isArray(answer) ? answer : [answer]).map(block);
  const isStructured = typeof answer === 'object' && answer !== null && !Array.isArray(answer);
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: args } };
  const response = { jsonrpc: '2.0', id: 1, result: { content, ...(isStructured && { structuredContent: answer }) } };
  return { record: { id: String(index), request, response }, outcome: String(outcome) };
}
