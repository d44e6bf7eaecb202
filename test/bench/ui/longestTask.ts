import type { CDPSession, Page } from 'playwright-core';

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  /** Processor time of the thread, µs. */
  readonly tdur?: number;
  readonly args?: { readonly data?: { readonly frame?: string }; readonly beginData?: { readonly frame?: string } };
}

export interface Tasks {
  /** ms of processor time, of the tasks that worked for the frame: on a machine that others use, the time that passes is theirs. */
  readonly longest: number;
  /** The longest by the time that passed, ms. */
  readonly longestPassed: number;
  /** Tasks over 50 ms. */
  readonly long: number;
  /** ms, of whatever else ran on the thread: it belongs to the workbench. */
  readonly longestOther: number;
}

const LONG_MS = 50;

/**
 * What the browser's main thread did while `work` went on, by its own trace. A webview shares the thread with the workbench
 * around it: a task is the frame's when some script, layout or paint in it was.
 */
export async function tasksDuring(page: Page, frameId: string, work: () => Promise<void>): Promise<Tasks> {
  const session = await page.context().newCDPSession(page);
  const events = await traced(session, work);
  const own = events.filter(({ args }) => args?.data?.frame === frameId || args?.beginData?.frame === frameId);
  const threads = new Set(own.map(({ pid, tid }) => `${pid} ${tid}`));
  const tasks = events.filter(({ name, pid, tid }) => name === 'RunTask' && threads.has(`${pid} ${tid}`));
  tasks.sort((a, b) => a.ts - b.ts);
  const starts = own.map(({ ts }) => ts).sort((a, b) => a - b);
  let at = 0;
  const result = { longest: 0, longestPassed: 0, long: 0, longestOther: 0 };
  for (const { ts, dur = 0, tdur = dur } of tasks) {
    while (at < starts.length && (starts[at] ?? 0) < ts) {
      at += 1;
    }
    const isOwn = (starts[at] ?? Number.POSITIVE_INFINITY) <= ts + dur;
    const ms = tdur / 1000;
    if (isOwn) {
      result.longest = Math.max(result.longest, ms);
      result.longestPassed = Math.max(result.longestPassed, dur / 1000);
      result.long += ms > LONG_MS ? 1 : 0;
    } else {
      result.longestOther = Math.max(result.longestOther, ms);
    }
  }
  await session.detach();
  return result;
}

async function traced(session: CDPSession, work: () => Promise<void>): Promise<readonly TraceEvent[]> {
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => {
    for (const event of value as unknown as TraceEvent[]) {
      if (event.ph === 'X') {
        events.push(event);
      }
    }
  });
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: {
      recordMode: 'recordAsMuchAsPossible',
      includedCategories: ['devtools.timeline', 'disabled-by-default-devtools.timeline'],
      excludedCategories: ['*'],
    },
  });
  try {
    await work();
  } finally {
    const ended = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()));
    await session.send('Tracing.end');
    await ended;
  }
  return events;
}
