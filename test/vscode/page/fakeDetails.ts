import type {
  DetailsView,
  DiffView,
  HttpView,
  ImageResult,
  PayloadView,
  StderrView,
} from '../../../src/protocol/details.ts';
import type { OutcomeKind } from '../../../src/protocol/outcome.ts';
import type { RowView } from '../../../src/protocol/timelineViews.ts';
import { isFailed, type RecordedRow } from './rows.ts';

interface Answer {
  readonly value: unknown;
  readonly pointers: readonly string[];
}

const ANSWERS: Readonly<Partial<Record<OutcomeKind, Answer>>> = {
  silent_error: {
    value: { content: [{ type: 'text', text: "Error: no book titled 'Dun'" }] },
    pointers: ['/result/content/0/text'],
  },
  tool_error: {
    value: { content: [{ type: 'text', text: 'Validation failed: title is required' }], isError: true },
    pointers: ['/result/isError'],
  },
  partial: {
    value: {
      content: [{ type: 'text', text: '{"imported":7,"rejected":["row 3","row 8","row \u202E9"]}' }],
      structuredContent: {
        imported: 7,
        rejected: ['row 3', 'row 8', 'row \u202E9'],
        startedAt: '2026-01-31T14:02:08.020Z',
        rows: Array.from({ length: 240 }, (_, index) => ({ id: index, ok: index % 7 !== 0 })),
      },
    },
    pointers: ['/result/structuredContent/rejected'],
  },
};

const WHY: Readonly<Partial<Record<OutcomeKind, string>>> = {
  silent_error: 'The tool says that it failed, but isError is not set, so the model takes this text for the answer.',
  tool_error: 'The tool reports that it failed, and the model is told.',
  protocol_error: 'The server refused the request: its arguments do not fit the tool’s input schema.',
  partial: '7 of 10 rows were imported; 3 are missing, and isError is not set.',
  transport_error: 'The server process ended before it answered.',
  timeout: 'No answer came within the limit.',
};

/** A PNG of 48 × 32 pixels, transparent at its edges. */
const PNG = [
  'iVBORw0KGgoAAAANSUhEUgAAADAAAAAgCAYAAABU1PscAAANuElEQVR42hXPkXr7DByG4fdwPhgMBoPBYDAoFAqFQiEQCAQCDwQC',
  'gUAgEAgEAoFAoVAoFAqFwmAwGAwGO4/3+/2P4L5u/cddD9z1yF1P3PXMXS/c9cpdb9z1zl0r7lpz14a7tty14649dyXclXJXxl05',
  'dxXcBXeV3FVxV81dDXe13NVxV89dA3eN3DVx18xdS/iH8I/hn8I/h38J/xr+Lfx7+B/hf4b/Ff53+D/h/4b/F47+46YHbnrkpidu',
  'euamF2565aY3bnrnphU3rblpw01bbtpx056bEm5KuSnjppybCm6Cm0puqrip5qaGm1pu6rip56aBm0Zumrhp5qYl/EP4x/BP4Z/D',
  'v4R/Df8W/j38j/A/w/8K/zv8n/B/w/8LR/9x1QNXPXLVE1c9c9ULV71y1RtXvXPViqvWXLXhqi1X7bhqz1UJV6VclXFVzlUFV8FV',
  'JVdVXFVzVcNVLVd1XNVz1cBVI1dNXDVz1RL+Ifxj+Kfwz+Ffwr+Gfwv/Hv5H+J/hf4X/Hf5P+L/h/4Wj/7jogYseueiJi5656IWL',
  'XrnojYveuWjFRWsu2nDRlot2XLTnooSLUi7KuCjnooKL4eKSiysurrm44eKWizsu7rl44OKRiycumrloCf8Q/jH8U/jn8C/hX8O/',
  'hX8P/yP8z/C/wv8O/yf83/D/uPwLnPXAWY+c9cRZz5z1wlmvnPXGWe+cteKsNWdtOGvLWTvO2nNWwlkpZ2WcnXN2wdlwdsnZFWfX',
  'nN1wdsvZHWf3nD1w9sjZE2fPnL2Efwj/GP4p/HP4l/Cv4d/Cv4f/Ef5n+F/hf4f/E/5v+H+c/wVOeuCkR0564qRnTnrhpFdOeuOk',
  'd05acdKakzactOWkHSftOSnhpJSTM07OObngZDi55OSKk2tObji55eSOk3tOHjh55OSJk2dOXjj5EP4x/FP45/Av4V/Dv4V/D/8j',
  '/M/wv8L/Dv8n/N/w/zj9Cxz1wFGPHPXEUc8c9cJRrxz1xlHvHLXiqDVHbThqy1E7jtpzVMLRKUdnHJ1zdMHRcHTJ0RVH1xzdcHTL',
  '0R1H9xw9cPTI0RNHzxy9cPSBo4/hn8I/h38J/xr+Lfx7+B/hf4b/Ff53+D/h/4b/x/Ff4KAHDnrkoCcOeuagFw565aA3DnrnoBUH',
  'rTlow0FbDtpx0J6DEw5OOTjj4JyDCw6Gg0sOrji45uCGg1sO7ji45+CBg0cOnjh45uCFgw8cfOTgU/jn8C/hX8O/hX8P/yP8z/C/',
  'wv8O/yf8Xw764/AvsOiBRY8semLRM4teWPTKojcWvbNoxaI1izYs2rJox+I9ixMWpyzOWJyzuGAxLC5ZXLG4ZnHD4pbFHYt7Fg8s',
  'Hlk8sXhm8cLiA4uPLD6x+Bz+Jfxr+Lfw7+F/hP8Z/lf43+H/sOiXRX8s/wKzHpj1yKwnZj0z64VZr8x6Y9Y7s1bMWjNrw6wts3fM',
  '3jM7YXbK7IzZObMLZsPsktkVs2tmN8xumd0xu2f2wOyR2ROzZ2YvzD4w+8jsE7PPzL6Efw3/Fv49/I/wP8P/Cv+bWT/M+mXWH/O/',
  'wKQHJj0y6YlJz0x6YdIrk96Y9M6kFZPWTNowacvkHZP3TE6YnDI5Y3LO5ILJMLlkcsXkmskNk1smd0zumTwweWTyxOSZyQuTD0w+',
  'MvnE5DOTL+Ffw7+Ffw//I/zP8L/C/2bSD5N+mfTH9C8w6oFRj4x6YtQzo14Y9cqoN0a9M2rFqDWjNozeMnrH6D2jE0anjM4YnTO6',
  'YDSMLhldMbpmdMPoltEdo3tGD4weGT0xemb0wugDo4+MPjH6zOgLo6/h38K/h/8R/mf4X4z6ZtQPo34Z9cf4LzDogUGPDHpi0DOD',
  'Xhj0yqA3Br0zaMWgNYM2DN4yeMfgPYMTBqcMzhicM7hgMAwuGVwxuGZww+CWwR2DewYPDB4ZPDF4ZvDC4AODjww+MfjM4AuDr+Hf',
  'wr+H/xH+Z/hfDPpm0A+Dfhn0x/Av0OuBXo/0eqLXM71e6PVKrzd6vdNrRa81vTb03tJ7R+89vRN6p/TO6J3Tu6A39C7pXdG7pndD',
  '75beHb17eg/0Huk90Xum90LvA72P9D7R+0zvC72v4d/Cv4f/Ef5n+F/0+qbXD71+6fVH/y/Q6YFOj3R6otMznV7o9EqnNzq902lF',
  'pzWdNnTe0nlH5z2dEzqndM7onNO5oDN0Lulc0bmmc0Pnls4dnXs6D3Qe6TzReabzQucDnY90PtH5TOcLna/h38K/h/8R/mf4X3T6',
  'ptMPnX7p9Ef3L9DqgVaPtHqi1TOtXmj1Sqs3Wr3TakWrNa02tN7SekfrPa0TWqe0zmid07qgNbQuaV3RuqZ1Q+uW1h2te1oPtB5p',
  'PdF6pvVC6wOtj7Q+0fpM6wutr+Hfwr+H/xH+Z/hftPqm1Q+tfmn1R/sv0OiBRo80eqLRM41eaPRKozcavdNoRaM1jTY03tJ4R+M9',
  'jRMapzTOaJzTuKAxNC5pXNG4pnFD45bGHY17Gg80Hmk80Xim8ULjA42PND7R+EzjC42v4d/Cv4f/Ef5n+F80+qbRD41+afRH8y9Q',
  '64Faj9R6otYztV6o9UqtN2q9U2tFrTW1NtTeUntH7T21E2qn1M6onVO7oDbULqldUbumdkPtltodtXtqD9QeqT1Re6b2Qu0DtY/U',
  'PlH7TO0Lta/h38K/h/8R/mf4X9T6ptYPtX6p9Uf9L1DpgUqPVHqi0jOVXqj0SqU3Kr1TaUWlNZU2VN5SeUflPZUTKqdUzqicU7mg',
  'MlQuqVxRuaZyQ+WWyh2VeyoPVB6pPFF5pvJC5QOVj1Q+UflM5QuVr+Hfwr+H/xH+Z/hfVPqm0g+Vfqn0R/UvUOqBUo+UeqLUM6Ve',
  'KPVKqTdKvVNqRak1pTaU3lJ6R+k9pRNKp5TOKJ1TuqA0lC4pXVG6pnRD6ZbSHaV7Sg+UHik9UXqm9ELpA6WPlD5R+kzpC6Wv4d/C',
  'v4f/Ef5n+F+U+qbUD6V+KfVH+S+AHkCPoCfQM+gF9Ap6A72DVqA1aAPegnfgPTgBp+AMnIMLMOASXIFrcANuwR24Bw/gETyBZ/AC',
  'PoCP4BP4DL6Ar+Hfwr+H/xH+Z/hfoG/QD+gX9Af/AoUeKPRIoScKPVPohUKvFHqj0DuFVhRaU2hD4S2FdxTeUzihcErhjMI5hQsK',
  'Q+GSwhWFawo3FG4p3FG4p/BA4ZHCE4VnCi8UPlD4SOEThc8UvlD4Gv4t/Hv4H+F/hv9FoW8K/VDol0J/FP8CuR7I9UiuJ3I9k+uF',
  'XK/keiPXO7lW5FqTa0OuLbl35N6TOyF3Su6M3Dm5C3JD7pLcFblrcjfkbsndkbsn90DukdwTuWdyL+Q+kPtI7hO5z+S+hH8N/xb+',
  'PfyP8D/D/wr/m1w/5Pol1x/5v0CmBzI9kumJTM9keiHTK5neyPROphWZ1mTakGlL5h2Z92ROyJySOSNzTuaCzJC5JHNF5prMDZlb',
  'Mndk7sk8kHkk80TmmcwLmQ9kPpL5ROYzmS/hX8O/hX8P/yP8z/C/wv8m0w+Zfsn0R/YvkOqBVI+keiLVM6leSPVKqjdSvZNqRao1',
  'qTak2pJqR+o9qRNSp6TOSJ2TuiA1pC5JXZG6JnVD6pbUHal7Ug+kHkk9kXom9ULqA6mPpD6R+hz+Jfxr+Lfw7+F/hP8Z/lf43+H/',
  'kOqXVH+k/wKJHkj0SKInEj2T6IVEryR6I9E7iVYkWpNoQ6ItiXYk2pM4IXFK4ozEOYkLEkPiksQViWsSNyRuSdyRuCfxQOKRxBOJ',
  'ZxIvJD6Q+EjiU/jn8C/hX8O/hX8P/yP8z/C/wv8O/yf8XxL9kfwL7PXAXo/s9cRez+z1wl6v7PXGXu/stWKvNXtt2GvLXjv22rNX',
  'wt4pe2fsnbN3wd6wd8neFXvX7N2wd8veHXv37D2w98jeE3vP7L2w94G9j+Gfwj+Hfwn/Gv4t/Hv4H+F/hv8V/nf4P+H/hv/H/l9g',
  'pwd2emSnJ3Z6ZqcXdnplpzd2emenFTut2WnDTlt22rHTnp0SdkrZOWPnnJ0LdoadS3au2Llm54adW3bu2Lln54GdR3ae2Hlm54Wd',
  'D+Efwz+Ffw7/Ev41/Fv49/A/wv8M/yv87/B/wv8N/4/dv8BWD2z1yFZPbPXMVi9s9cpWb2z1zlYrtlqz1Yattmy1Y6s9WyVslbJV',
  'xtY5WxdsDVuXbF2xdc3WDVu3bN2xdc/WA1uPbD2x9czWS/iH8I/hn8I/h38J/xr+Lfx7+B/hf4b/Ff53+D/h/4b/x/ZfYKMHNnpk',
  'oyc2emajFzZ6ZaM3NnpnoxUbrdlow0ZbNtqx0Z6NEjZK2Shjo5yNCjaGjUs2rti4ZuOGjVs27ti4Z+OBjUc2nthoZqMl/EP4x/BP',
  '4Z/Dv4R/Df8W/j38j/A/w/8K/zv8n/B/w/9j8y+w1gNrPbLWE2s9s9YLa72y1htrvbPWirXWrLVhrS1r7Vhrz1oJa6WslbFWzloF',
  'a8FaJWtVrFWzVsNaLWt1rNWz1sBaI2tNrDWz1hL+Ifxj+Kfwz+Ffwr+Gfwv/Hv5H+J/hf4X/Hf5P+L/h/4Wj/1jpgZUeWemJlZ5Z',
  '6YWVXlnpjZXeWWnFSmtW2rDSlpV2rLRnpYSVUlbKWClnpYKVYKWSlSpWqlmpYaWWlTpW6llpYKWRlSZWmllpCf8Q/jH8U/jn8C/h',
  'X8O/hX8P/yP8z/C/wv8O/yf83/D/wvkf+g6PRWB0n8oAAAAASUVORK5CYII=',
].join('');

function payload(
  seq: number,
  value: unknown,
  pointers: readonly string[],
  change: Partial<PayloadView> = {},
): PayloadView {
  const text = JSON.stringify(value, undefined, 2);
  const raw = JSON.stringify(value);
  const highlights = pointers.flatMap((pointer) => {
    const marked = pointer
      .split('/')
      .slice(1)
      .reduce<unknown>((found, step) => (found as Record<string, unknown>)[step], value);
    const start = text.indexOf(JSON.stringify(marked));
    return start < 0 ? [] : [{ start, end: start + JSON.stringify(marked).length }];
  });
  return {
    seq,
    text,
    highlights,
    raw,
    invalid: [],
    tree: { kind: 'raw' },
    pointers,
    images: [],
    bytes: raw.length,
    isTruncated: false,
    ...change,
  };
}

function responseOf(row: RowView, seq: number): PayloadView | undefined {
  if (row.outcome === 'timeout' || row.outcome === 'transport_error') {
    return undefined;
  }
  if (row.outcome === 'protocol_error') {
    const error = { code: -32602, message: 'Invalid arguments: path must be a string' };
    return payload(seq, { jsonrpc: '2.0', id: 45, error }, ['/error/code']);
  }
  if (row.kind === 'noise') {
    const raw = 'INFO: \u001b[31mStarted\u001b[0m \\xff\\xfe [4711]';
    return payload(seq, raw, [], {
      text: raw,
      raw,
      invalid: [{ start: raw.indexOf('\\xff'), end: raw.indexOf('\\xff') + 8 }],
      tree: { kind: 'none', text: 'It is not JSON, so there is no tree of it.' },
    });
  }
  const answer = row.outcome === undefined ? undefined : ANSWERS[row.outcome];
  if (answer !== undefined) {
    return payload(seq, { jsonrpc: '2.0', id: 41, result: answer.value }, answer.pointers);
  }
  const isLarge = row.target === 'list_issues';
  const text = isLarge ? 'Dune, Frank Herbert, 1965. '.repeat(400) : 'Dune, Frank Herbert, 1965';
  const content = [
    { type: 'text', text },
    { type: 'image', data: PNG, mimeType: 'image/png' },
  ];
  const value = { jsonrpc: '2.0', id: 41, result: { content } };
  return payload(seq, value, [], {
    images: [{ pointer: '/result/content/1', mimeType: 'image/png', bytes: 79 }],
    ...(isLarge
      ? {
          bytes: 2_400_000,
          isTruncated: true,
          tree: {
            kind: 'cut' as const,
            json: JSON.stringify(value),
            cuts: [
              { pointer: '/result/content/0/text', kind: 'text' as const, total: 2_300_000 },
              { pointer: '/result/content', kind: 'items' as const, total: 40 },
            ],
          },
        }
      : {}),
  });
}

const HTTP: HttpView = {
  seq: 9,
  method: 'POST',
  url: 'https://api.example.com/mcp?tenant=shop&key=[redacted]',
  status: 503,
  statusText: 'Service Unavailable',
  durationUs: 334_000,
  requestHeaders: [
    ['accept', 'application/json, text/event-stream'],
    ['authorization', 'Bearer [redacted]'],
    ['mcp-protocol-version', '2025-11-25'],
    ['mcp-session-id', '3f2a77c1…'],
  ],
  responseHeaders: [
    ['content-type', 'text/html; charset=utf-8'],
    ['retry-after', '2'],
  ],
  body: '<!doctype html>\n<title>503 Service \u202EUnavailable</title>',
};

const STDERR: readonly StderrView[] = [
  { offsetUs: -120_000, level: 'info', levelText: 'info', text: 'INFO: starting server' },
  { offsetUs: 12_400, level: 'warning', levelText: 'warning', text: 'WARNING: no cache \u001b[33mconfigured\u001b[0m' },
  { offsetUs: 15_000, level: 'unknown', levelText: '', text: 'Traceback (most recent call last):' },
  {
    offsetUs: 15_000,
    level: 'unknown',
    levelText: '',
    text: '  File "server.py", line 3, in <module>\n    import httpx',
  },
  { offsetUs: 15_900, level: 'error', levelText: 'error', text: 'ModuleNotFoundError: No module named ‘httpx’' },
];

/** What the host says of a row: every tab of the pane, over the samples. */
export function fakeDetails(found: RecordedRow, row: RowView, compareBase: number | undefined): DetailsView {
  const isFailure = isFailed(row.outcome);
  const seq = row.key;
  const response = responseOf(row, seq + 1);
  const pointer = response?.pointers[0];
  const delays = [0, 1000, 2000];
  return {
    row,
    title: row.target ?? row.method,
    subtitle: `${row.server} · ${row.method} · id 41`,
    facts: '2025-11-25 · stdio',
    why: {
      summary: (row.outcome === undefined ? undefined : WHY[row.outcome]) ?? 'The server answered what was asked.',
      signals: isFailure
        ? [
            {
              text: row.reason === '' ? 'The answer says so' : row.reason,
              strength: 'strong',
              strengthText: 'strong',
              ...(pointer === undefined ? {} : { pointer }),
            },
            {
              text: 'This tool never answered so on 36 earlier successes',
              strength: 'medium',
              strengthText: 'history · medium',
            },
          ]
        : [],
      retry: {
        class: 'never',
        text: isFailure
          ? 'Never by the client: the same title fails again. The model could correct it, if it were told.'
          : '',
      },
      missing: row.outcome === 'partial' ? ['row 3', 'row 8', 'row \u202E9'] : [],
      failure:
        row.outcome === 'transport_error'
          ? ['Exit code 1', 'ModuleNotFoundError: No module named ‘httpx’', 'Install it: pip install httpx']
          : [],
    },
    ...(row.kind === 'request'
      ? {
          request: payload(
            seq,
            {
              jsonrpc: '2.0',
              id: 41,
              method: row.method,
              params: { name: row.target ?? '', arguments: { title: 'Dun', limit: 10, exact: false, after: null } },
            },
            [],
          ),
        }
      : {}),
    ...(response === undefined ? {} : { response }),
    noResponse: response === undefined ? 'No answer came within the limit.' : '',
    attempts: found.children.map((child, index) => ({
      key: child.key,
      text: `attempt ${index + 1} of ${found.children.length}`,
      reason: index === 0 ? 'First attempt.' : 'Repeated after a timeout: the request has no side effects.',
      outcome: child.outcome,
      outcomeText: child.outcomeText,
      delayMs: delays[index] ?? 0,
      ...(child.durationUs === undefined ? {} : { durationUs: child.durationUs }),
    })),
    http: row.server === 'github' ? [HTTP] : [],
    stderr: row.server === 'weather' ? STDERR : [],
    related: isFailure
      ? [
          { seq, text: 'notifications/progress 3 of 10' },
          { seq, key: 1, text: 'Blind retry: the same arguments as at 14:02:09.001, which failed' },
        ]
      : [],
    anomalies: isFailure
      ? [
          {
            severity: 'warn',
            severityText: 'warning',
            text: 'Progress went from 5 to 3\u202E; it must increase.',
            remedy: 'Count up with each report.',
            pointer: '/params/progress',
            seq: seq + 7,
          },
        ]
      : [],
    ...(compareBase === undefined || compareBase === row.key
      ? {}
      : { compare: { base: compareBase, label: 'get_author · 14:02:08.020' } }),
    isCompareChosen: compareBase !== undefined && compareBase !== row.key,
    copyFormats: ['json', 'raw', ...(row.server === 'github' ? (['curl'] as const) : []), 'call', 'vitest', 'pytest'],
    canEditReplay: row.outcome === 'tool_error',
    ...(row.method === 'tools/call' ? { hasToolSource: true } : {}),
    ...(row.kind === 'request' ? {} : { replayRefusal: 'Only requests of the client can be replayed.' }),
  };
}

/** How two rows differ; with and without what changes by itself. */
export function fakeDiff(ignoreVolatile: boolean): DiffView {
  return {
    sentence: 'tool error → success on attempt 2 after 1.4 s',
    before: 'tool_error',
    after: 'success',
    changes: [
      { kind: 'removed', kindText: 'removed', pointer: '/result/isError', before: 'true' },
      {
        kind: 'changed',
        kindText: 'changed',
        pointer: '/result/content/0/text',
        inner: '/author',
        before: '"Error: no book titled \'Dun\'"',
        after: '"Frank \u202EHerbert"',
      },
      {
        kind: 'moved',
        kindText: 'moved',
        pointer: '/result/content/1',
        from: '/result/content/3',
        after: '{"type":"image"}',
      },
      ...(ignoreVolatile
        ? []
        : [
            {
              kind: 'changed' as const,
              kindText: 'changed',
              pointer: '/result/structuredContent/requestId',
              before: '"7f3a"',
              after: '"91bc"',
              volatileText: 'generated id',
            },
          ]),
      { kind: 'added', kindText: 'added', pointer: '/result/structuredContent', after: '{"author":"Frank Herbert"}' },
    ],
    note: '',
    volatileCount: 1,
    omittedText: '',
  };
}

export const fakeImage: ImageResult = { mimeType: 'image/png', base64: PNG, width: 48, height: 32 };
