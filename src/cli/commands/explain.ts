import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { messageOf } from '../../base/messageOf.ts';
import { safeLine } from '../../base/safeText.ts';
import { type Explanation, explainRecord } from '../../core/classify/explain.ts';
import type { JsonValue } from '../../protocol/jsonrpc.ts';
import { type ExitCode, exitCodes } from '../exitCodes.ts';
import { outcomeText, reasonLines, sentence } from '../formats/verdictText.ts';
import type { Terminal } from '../terminal.ts';

export interface ExplainOptions {
  readonly format: 'text' | 'json';
}

/**
 * `faultline explain`: judges recorded exchanges, one JSON object a line, as they come. A line that is none is named on
 * stderr and does not stop the others.
 */
export async function explain(file: string, options: ExplainOptions, terminal: Terminal): Promise<ExitCode> {
  const input = await open(file, terminal);
  if (input === undefined) {
    return exitCodes.failed;
  }
  let number = 0;
  let hasBadLine = false;
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    if (line.trim() === '') {
      continue;
    }
    const record = parse(line);
    if (record === undefined) {
      hasBadLine = true;
      terminal.err(`faultline: line ${number} is not JSON: ${safeLine(line, 80)}\n`);
      continue;
    }
    const explained = explainRecord(record);
    if (explained.signals[0]?.code === 'signal.record.malformed') {
      hasBadLine = true;
      const { code, args } = explained.signals[0];
      terminal.err(`faultline: line ${number}: ${sentence(code, args)}\n`);
    }
    await terminal.out(options.format === 'json' ? asJson(explained) : asText(explained, terminal));
  }
  return hasBadLine ? exitCodes.failed : exitCodes.clean;
}

async function open(file: string, terminal: Terminal): Promise<Readable | undefined> {
  if (file === '-') {
    return process.stdin;
  }
  const stream = createReadStream(path.resolve(terminal.cwd, file), 'utf8');
  try {
    await once(stream, 'open');
    return stream;
  } catch (error) {
    terminal.err(`faultline: ${file} cannot be read: ${messageOf(error)}\n`);
    return undefined;
  }
}

function parse(line: string): JsonValue | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function asJson({ id, outcome, retry, signals }: Explanation): string {
  return `${JSON.stringify({ id, outcome, retry, signals })}\n`;
}

function asText({ id, outcome, retry, signals }: Explanation, { style }: Terminal): string {
  const name = style('bold', safeLine(id === '' ? '(no id)' : id, 120));
  if (outcome === 'not_a_call') {
    return `${name}: not a call\n`;
  }
  const lines = [
    `${name}: ${outcomeText(outcome, undefined, style)}`,
    ...reasonLines({ outcome, retry, signals }, style),
  ];
  return `${lines.join('\n')}\n`;
}
