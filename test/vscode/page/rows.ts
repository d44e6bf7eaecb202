import { FAILURE_KINDS, type OutcomeKind } from '../../../src/protocol/outcome.ts';
import type { RowView } from '../../../src/protocol/timelineViews.ts';

interface Sample {
  readonly server: string;
  readonly method?: string;
  readonly target?: string;
  readonly outcome: OutcomeKind | undefined;
  readonly outcomeText?: string;
  readonly reason?: string;
  readonly ms?: number;
  readonly gapMs: number;
  readonly kind?: RowView['kind'];
  readonly initiator?: RowView['initiator'];
  readonly marks?: RowView['marks'];
  /** Of a chain: its attempts as `[outcome, text, ms, wait before]`. */
  readonly attempts?: readonly (readonly [OutcomeKind, string, number, number])[];
}

const SAMPLES: readonly Sample[] = [
  { server: 'bookshop', target: 'search_books', outcome: 'success', ms: 18, gapMs: 288 },
  { server: 'github', target: 'list_issues', outcome: 'success', ms: 212, gapMs: 618 },
  {
    server: 'bookshop',
    target: 'get_author',
    outcome: 'silent_error',
    reason: 'Text starts with “Error:”, but isError is not set',
    ms: 9,
    gapMs: 357,
  },
  {
    server: 'bookshop',
    target: 'import_rows',
    outcome: 'partial',
    outcomeText: 'partial 7/10',
    reason: '3 of 10 rows were rejected',
    ms: 148,
    gapMs: 624,
  },
  {
    server: 'github',
    target: 'create_issue',
    outcome: 'tool_error',
    reason: 'Validation failed: title is required',
    ms: 334,
    gapMs: 949,
  },
  {
    server: 'files',
    target: 'read_file',
    outcome: 'protocol_error',
    outcomeText: 'protocol −32602',
    reason: 'Invalid arguments: path must be a string',
    ms: 3,
    gapMs: 168,
  },
  {
    server: 'bookshop',
    target: 'flaky_lookup',
    outcome: 'success',
    outcomeText: 'success on 3rd',
    ms: 4079,
    gapMs: 1886,
    marks: [{ mark: 'retried', text: 'retried' }],
    attempts: [
      ['timeout', 'no answer in 1000 ms', 1000, 0],
      ['protocol_error', '−32603 Internal error', 41, 1000],
      ['success', '', 38, 2000],
    ],
  },
  { server: 'files', method: 'tools/list', outcome: 'success', ms: 6, gapMs: 656 },
  {
    server: 'weather',
    method: 'initialize',
    outcome: 'transport_error',
    outcomeText: 'connection lost',
    reason: 'exit 1 · ModuleNotFoundError: No module named ‘httpx’',
    ms: 421,
    gapMs: 447,
  },
  {
    server: 'bookshop',
    target: 'order_book',
    outcome: 'input_required',
    reason: 'Asks for the delivery address',
    ms: 27,
    gapMs: 373,
  },
  {
    server: 'github',
    target: 'create_issue',
    outcome: 'tool_error',
    reason: 'Validation failed: title is required',
    ms: 301,
    gapMs: 322,
    marks: [{ mark: 'ambiguous_delivery', text: 'may have been executed' }],
  },
  { server: 'github', method: 'resources/read', target: 'repo://issues/42', outcome: 'success', ms: 88, gapMs: 203 },
  {
    server: 'bookshop',
    target: 'export_all',
    outcome: 'cancelled',
    reason: 'Cancelled by the user',
    ms: 702,
    gapMs: 895,
  },
  {
    server: 'files',
    target: 'stat_\u202Egpj.exe',
    outcome: 'invalid_response',
    reason: 'The answer has both result and error',
    ms: 12,
    gapMs: 130,
  },
  {
    server: 'github',
    target: 'search_code',
    outcome: 'timeout',
    reason: 'No answer in 2 s; 3 progress notifications came',
    ms: 2000,
    gapMs: 1400,
    marks: [{ mark: 'late', text: 'late answer after 2.3 s' }],
  },
  {
    server: 'files',
    target: 'index_workspace',
    outcome: 'task_pending',
    reason: 'Task 7f3a is still working',
    ms: 40,
    gapMs: 90,
  },
  {
    server: 'bookshop',
    method: 'notifications/tools/list_changed',
    outcome: undefined,
    kind: 'notification',
    gapMs: 60,
    initiator: 'server',
  },
  {
    server: 'weather',
    method: 'stdout',
    outcome: undefined,
    outcomeText: 'not JSON',
    kind: 'noise',
    reason: 'INFO: Started server process [4711]',
    gapMs: 20,
  },
  { server: 'bookshop', target: 'search_books', outcome: 'success', ms: 16, gapMs: 200 },
  { server: 'github', target: 'list_issues', outcome: 'success', ms: 190, gapMs: 210 },
  { server: 'files', target: 'read_file', outcome: 'success', ms: 4, gapMs: 90 },
  { server: 'bookshop', target: 'get_book', outcome: 'success', ms: 11, gapMs: 140 },
];

const WORDS: Readonly<Record<OutcomeKind, string>> = {
  success: 'success',
  partial: 'partial',
  tool_error: 'tool error',
  silent_error: 'silent error',
  protocol_error: 'protocol error',
  transport_error: 'connection lost',
  timeout: 'timeout',
  cancelled: 'cancelled',
  input_required: 'input required',
  task_pending: 'task pending',
  invalid_response: 'invalid response',
  pending: 'pending',
};

/** A recorded row with the attempts that fold under it. */
export interface RecordedRow {
  readonly head: RowView;
  readonly children: readonly RowView[];
}

function segmentsOf(attempts: NonNullable<Sample['attempts']>): NonNullable<RowView['segments']> {
  let at = 0;
  return attempts.flatMap(([outcome, , ms, waitMs]) => {
    const gap = { kind: 'gap' as const, startUs: at, durationUs: waitMs * 1000 };
    at += waitMs * 1000;
    const attempt = { kind: 'attempt' as const, outcome, startUs: at, durationUs: ms * 1000 };
    at += ms * 1000;
    return waitMs === 0 ? [attempt] : [gap, attempt];
  });
}

function recorded(sample: Sample, key: number, startUs: number): RecordedRow {
  const { attempts, outcome } = sample;
  const head: RowView = {
    key,
    kind: sample.kind ?? 'request',
    depth: 0,
    isExpandable: attempts !== undefined,
    isExpanded: false,
    startUs,
    ...(sample.ms === undefined ? {} : { durationUs: sample.ms * 1000 }),
    server: sample.server,
    method: sample.method ?? 'tools/call',
    ...(sample.target === undefined ? {} : { target: sample.target }),
    initiator: sample.initiator ?? 'client',
    outcome,
    outcomeText: sample.outcomeText ?? (outcome === undefined ? '' : WORDS[outcome]),
    reason: sample.reason ?? '',
    ...(attempts === undefined ? {} : { segments: segmentsOf(attempts) }),
    marks: sample.marks ?? [],
    bytes: 400 + ((key * 37) % 9000),
  };
  let atUs = startUs;
  const children = (attempts ?? []).map(([childOutcome, reason, ms, waitMs], place): RowView => {
    atUs += waitMs * 1000;
    const child: RowView = {
      key: key + place + 1,
      kind: 'request',
      depth: 1,
      isExpandable: false,
      isExpanded: false,
      startUs: atUs,
      durationUs: ms * 1000,
      server: sample.server,
      method: 'tools/call',
      ...(sample.target === undefined ? {} : { target: sample.target }),
      initiator: 'client',
      outcome: childOutcome,
      outcomeText: childOutcome === 'protocol_error' ? 'protocol −32603' : WORDS[childOutcome],
      reason,
      attempt: { number: place + 1, of: attempts?.length ?? 1 },
      marks: [],
      bytes: 300,
    };
    atUs += ms * 1000;
    return child;
  });
  return { head, children };
}

/** 2026-03-02 14:02:07 UTC in µs. */
const START_US = 1_772_460_127_114_000;

/**
 * `count` rows of all outcomes. After the first round the failures thin out, since most calls of a real session succeed.
 */
export function recordedRows(count: number, startUs = START_US): RecordedRow[] {
  const rows: RecordedRow[] = [];
  let atUs = startUs;
  for (let index = 0; rows.length < count; index += 1) {
    const round = Math.floor(index / SAMPLES.length);
    const sample = SAMPLES[index % SAMPLES.length];
    if (sample === undefined || (round % 3 === 1 && sample.outcome !== 'success')) {
      continue;
    }
    rows.push(recorded(sample, rows.length * 10 + 1, atUs));
    atUs += Math.min(sample.gapMs, 1500) * 1000;
  }
  return rows;
}

/** One more row, as it looks while it waits and when it has ended. */
export function nextRow(key: number, startUs: number, isEnded: boolean): RecordedRow {
  const sample = SAMPLES[key % 7] ?? SAMPLES[0];
  if (sample === undefined) {
    throw new Error('there are samples');
  }
  const { attempts: _attempts, ms, ...rest } = sample;
  return recorded(
    isEnded ? { ...rest, ms: ms ?? 1 } : { ...rest, outcome: 'pending', outcomeText: 'waiting', reason: '' },
    key,
    startUs,
  );
}

const HOUR_US = 3_600_000_000;

/**
 * Rows of `servers` servers in four sessions of three days, with the nights between them: most of what happens succeeds, and
 * one server fails in the last session.
 */
export function historyRows(servers: number): RecordedRow[] {
  const sessions = [
    [-50 * HOUR_US, 2 * HOUR_US, 260],
    [-46 * HOUR_US, 0.4 * HOUR_US, 90],
    [-25 * HOUR_US, 3 * HOUR_US, 320],
    [-0.1 * HOUR_US, 0.1 * HOUR_US, 160],
  ] as const;
  const rows: RecordedRow[] = [];
  // mulberry32's first step is random enough for pictures, and the same each time.
  const random = (seed: number) => ((Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d) >>> 8) & 0xffff) / 0x10000;
  for (const [startUs, lengthUs, count] of sessions) {
    for (let index = 0; index < count; index += 1) {
      const seed = rows.length + 1;
      const number = Math.floor(random(seed * 7) * servers);
      const isLast = startUs > -HOUR_US;
      const isFailing = (isLast && number === 13 % servers && index > count / 2) || random(seed * 31) < 0.03;
      const sample = isFailing ? SAMPLES[2 + Math.floor(random(seed * 17) * 4)] : SAMPLES[0];
      if (sample === undefined) {
        continue;
      }
      const server = SERVER_NAMES[number] ?? `server-${number + 1}`;
      const ms = Math.round(4 * 1.02 ** Math.floor(random(seed * 13) * 400));
      const at = START_US + startUs + (lengthUs * (index + random(seed * 3))) / count;
      rows.push(recorded({ ...sample, server, ms }, rows.length * 10 + 1, Math.round(at)));
    }
  }
  return rows;
}

const SERVER_NAMES = ['bookshop', 'github', 'files', 'weather', 'postgres', 'slack', 'browser', 'jira', 'sentry'];

/** Whether the page counts it as a failure. */
export function isFailed(outcome: OutcomeKind | undefined): boolean {
  return outcome !== undefined && FAILURE_KINDS.has(outcome);
}
