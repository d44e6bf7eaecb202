// Records real servers anew: `node test/golden/record.ts [name…]`. What is of this machine or of this moment is replaced,
// so that a recording tells nothing of whoever made it and changes only where a server does.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { decodeEvent, encodeEvent } from '../../src/core/export/eventLine.ts';
import { type SessionHeader, writeSession } from '../../src/core/export/sessionFile.ts';
import type { LogEvent } from '../../src/protocol/events.ts';
import { root, sampleFolder, scenarios, startRecording } from './liveRecording.ts';

const target = path.join(root, 'test/fixtures/golden/sessions');
const START_US = 1_767_225_600_000_000;

/** Replacements within the JSON of an event, the longest paths first. */
function replacements(folder: string): readonly (readonly [string | RegExp, string])[] {
  return [
    [folder, '/data'],
    [process.execPath, 'node'],
    [path.join(root, 'node_modules'), '/packages'],
    [root, '/project'],
    [os.tmpdir() + path.sep, '/tmp/'],
    [os.homedir(), '/home/me'],
    [/127\.0\.0\.1:\d+/g, '127.0.0.1:4000'],
    [/\(node:\d+\)/g, '(node:4711)'],
    [/"pid":\d+/g, '"pid":4711'],
    [/"mcp-session-id":"[^"]*"/g, '"mcp-session-id":"0a1b2c3d…"'],
    [/"date":"[^"]*"/g, '"date":"Thu, 01 Jan 2026 00:00:00 GMT"'],
    [/\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '2026-01-01T00:00:00.000Z'],
  ];
}

function normalised(events: readonly LogEvent[], folder: string): readonly LogEvent[] {
  const [first] = events;
  const rules = replacements(folder).filter(([from]) => from !== '/');
  return events.map((event) => {
    const wallUs = event.wallUs - (first?.wallUs ?? 0) + START_US;
    const monoUs = event.monoUs - (first?.monoUs ?? 0);
    let line = encodeEvent({ ...event, wallUs, monoUs });
    for (const [from, to] of rules) {
      line = line.replaceAll(from, to);
    }
    const again = decodeEvent(JSON.parse(line));
    if ('problem' in again) {
      throw new Error(`event ${event.seq}: ${again.problem}`);
    }
    return again;
  });
}

async function record(name: string): Promise<void> {
  const scenario = scenarios[name]?.();
  if (scenario === undefined) {
    throw new Error(`There is no ${name}; there are ${Object.keys(scenarios).join(', ')}`);
  }
  const folder = sampleFolder();
  const logFolder = mkdtempSync(path.join(os.tmpdir(), 'faultline-log-'));
  const recording = startRecording(path.join(logFolder, 'log.sqlite'), await scenario.definitions(folder));
  await scenario.play(recording, folder);
  await recording.end();
  scenario.stop?.();
  const events = normalised(recording.log.read({ limit: 100_000 }), folder);
  recording.log.dispose();
  rmSync(logFolder, { recursive: true });
  rmSync(folder, { recursive: true });
  const header: SessionHeader = {
    faultlineSession: 1,
    exportedAt: '2026-01-01T00:00:00.000Z',
    faultline: '0.1.0',
    sessions: [{ id: 's1', name }],
    redacted: false,
    leftOut: [],
  };
  const file = path.join(target, `${name}.faultline.jsonl`);
  let text = '';
  for await (const piece of writeSession(header, events)) {
    text += piece;
  }
  writeFileSync(file, text);
  process.stdout.write(`${file}: ${events.length} events, ${readFileSync(file).length} bytes\n`);
}

for (const name of process.argv.length > 2 ? process.argv.slice(2) : Object.keys(scenarios)) {
  await record(name);
}
