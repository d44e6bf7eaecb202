import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { openEventLog } from '../../../../src/core/log/eventLog.ts';
import { Recording } from '../../../../src/host/recording.ts';
import { createFileLog } from '../../../../src/host/sessions/fileLog.ts';
import { FilterControl } from '../../../../src/host/timeline/filterControl.ts';
import type { LogEvent } from '../../../../src/protocol/events.ts';
import { call, ok, received, recorded, sent } from '../../core/classify/support.ts';
import { exchange, verdict } from '../../core/timeline/support.ts';
import { FakeClock } from '../../support/fakeClock.ts';

function asking(id: number, name: string, title: string) {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: { title } } };
}

const events = recorded([
  sent(asking(1, 'search', 'Dune')),
  received(ok(1, 'Frank Herbert, 1965')),
  sent(asking(2, 'search', 'Emma')),
  received(ok(2, 'Jane "Austen", 1815')),
  sent(call(3, 'list')),
]);

const disposables: { dispose(): void }[] = [];
afterEach(() => {
  for (const each of disposables.splice(0)) {
    each.dispose();
  }
});

function controlOf(recording: Recording<never>, clock: FakeClock): FilterControl {
  const control = new FilterControl(recording, (id) => (id === 'demo:shop' ? 'My Shop' : id), clock);
  disposables.push(recording, control.retain());
  return control;
}

async function fileControl(all: readonly LogEvent[] = events) {
  const clock = new FakeClock();
  const recording = new Recording(createFileLog('/a/file.faultline.jsonl', all));
  await recording.load();
  return { clock, recording, control: controlOf(recording as unknown as Recording<never>, clock) };
}

async function searched(control: FilterControl, clock: FakeClock): Promise<void> {
  await clock.advance(1000);
  while (control.isSearching) {
    await setImmediate();
  }
}

const targets = (recording: { timeline: Recording['timeline'] }) =>
  recording.timeline.rows(0, 99).map(({ key, target }) => `${key} ${target}`);

describe('the filter of a recording', () => {
  it('finds text in names at once, and in messages after a while', async () => {
    const { clock, recording, control } = await fileControl();
    await control.set({ hiddenOutcomes: [], text: 'herbert or list' });
    expect(targets(recording)).toEqual(['5 list']);
    expect(control.isSearching).toBe(true);
    await searched(control, clock);
    expect(targets(recording)).toEqual(['1 search', '5 list']);
    expect(control.isSearching).toBe(false);
  });

  it.each([
    ['dune', ['1 search']],
    ['"jane \\"austen"', ['3 search']],
    ['-1815', ['1 search', '5 list']],
    ['tool:search emma', ['3 search']],
    ['nowhere', []],
    ['"my shop"', ['1 search', '3 search', '5 list']],
  ])('finds %s', async (text, expected) => {
    const { clock, recording, control } = await fileControl();
    await control.set({ hiddenOutcomes: [], text });
    await searched(control, clock);
    expect(targets(recording)).toEqual(expected);
  });

  it.each<[string, string, string, number[]]>([
    ['the words before the one that is written', 'tool:search since:', 'tool:search', [1, 3]],
    ['without a word that only joins', 'tool:search or', 'tool:search', [1, 3]],
    ['all rows, where the first word is written', 'tool:', '', [1, 3, 5]],
    ['the last good text, where an earlier word is wrong', 'ms>x tool:search', 'tool:list', [5]],
    ['the last good text, where a quote is open', 'tool:"search it', 'tool:list', [5]],
  ])('tells what is wrong, and shows %s', async (_, text, shown, keys) => {
    const { recording, control } = await fileControl();
    expect(await control.set({ hiddenOutcomes: [], text: 'tool:list' })).toBeUndefined();
    const error = await control.set({ hiddenOutcomes: [], text });
    expect(text.slice(error?.offset, (error?.offset ?? 0) + (error?.length ?? 0))).not.toBe(text);
    expect(recording.timeline.filterText).toBe(shown);
    expect(recording.timeline.rows(0, 9).map(({ key }) => key)).toEqual(keys);
  });

  it('hides outcomes whatever is wrong with the text', async () => {
    const { recording, control } = await fileControl();
    await control.set({ hiddenOutcomes: ['success'], text: 'ms>x tool:search' });
    expect(recording.timeline.rows(0, 9).map(({ key }) => key)).toEqual([5]);
  });

  it('looks into messages that are recorded while it is on', async () => {
    const clock = new FakeClock();
    const log = openEventLog({ path: undefined, clock });
    const recording = new Recording(log);
    await recording.load();
    const control = controlOf(recording as unknown as Recording<never>, clock);
    await control.set({ hiddenOutcomes: [], text: 'herbert' });
    await searched(control, clock);
    for (const { seq: _, ...event } of events) {
      log.append(event);
    }
    log.flush();
    expect(targets(recording)).toEqual(['1 search']);
  });

  it('gives way to the filter that comes next, however far it has got', async () => {
    const { recording, control } = await fileControl();
    recording.timeline.apply(
      Array.from({ length: 60_000 }, (_, index) => exchange(index + 10, { target: index % 2 === 0 ? 'even' : 'odd' })),
    );
    const first = control.set({ hiddenOutcomes: [], text: 'tool:even' });
    const second = control.set({ hiddenOutcomes: [], text: 'tool:odd' });
    await first;
    await second;
    expect([recording.timeline.total, recording.timeline.filterText]).toEqual([30_000, 'tool:odd']);
    // Back to what is shown, while another is on its way.
    const third = control.set({ hiddenOutcomes: [], text: 'tool:even' });
    await control.set({ hiddenOutcomes: [], text: 'tool:odd' });
    await third;
    expect([recording.timeline.total, recording.timeline.filterText]).toEqual([30_000, 'tool:odd']);
  });

  it('leaves a text that another has replaced unsearched', async () => {
    const { clock, recording, control } = await fileControl();
    await control.set({ hiddenOutcomes: [], text: 'herbert' });
    await control.set({ hiddenOutcomes: [], text: 'austen' });
    await searched(control, clock);
    expect(targets(recording)).toEqual(['3 search']);
  });

  it('moves on with the time while somebody looks', async () => {
    const { clock, recording, control } = await fileControl([]);
    const startUs = clock.wallUs();
    recording.timeline.apply([
      exchange(1, { startUs: startUs - 50_000_000, endUs: startUs, verdict: verdict('success') }),
      exchange(2, { startUs: startUs - 10_000_000 }),
    ]);
    await control.set({ hiddenOutcomes: [], text: 'since:1m' });
    const shown = () => recording.timeline.rows(0, 9).map(({ key }) => key);
    expect(shown()).toEqual([1, 2]);
    const { epoch } = recording.timeline;
    await clock.advance(5000);
    expect([shown(), recording.timeline.epoch]).toEqual([[1, 2], epoch]);
    await clock.advance(10_000);
    expect(shown()).toEqual([2]);
    await clock.advance(60_000);
    expect(shown()).toEqual([]);
    for (const each of disposables.splice(0)) {
      each.dispose();
    }
    expect(clock.pendingMs()).toEqual([]);
  });

  it('takes its place again when somebody else has set another', async () => {
    const { recording, control } = await fileControl();
    await control.set({ hiddenOutcomes: [], text: 'tool:list' });
    recording.timeline.setFilter({ hiddenOutcomes: [], text: 'tool:list' });
    expect(recording.timeline.total).toBe(3);
    await control.set({ hiddenOutcomes: [], text: 'tool:list' });
    expect(recording.timeline.total).toBe(1);
  });

  it('stays on through a clearing', async () => {
    const { recording, control } = await fileControl();
    await control.set({ hiddenOutcomes: [], text: 'tool:list' });
    recording.timeline.clear();
    recording.timeline.apply([exchange(1, { target: 'list' }), exchange(2, { target: 'other' })]);
    expect(targets(recording)).toEqual(['1 list']);
  });

  it('offers values of the recording, servers by the names that people know', async () => {
    const { control } = await fileControl();
    expect(control.complete('tool:', 5).map(({ label, rows }) => `${label} ${rows}`)).toEqual(['search 2', 'list 1']);
    expect(control.complete('server:', 7).map(({ insert }) => insert)).toEqual(['"My Shop" ']);
  });
});
