import { createHash } from 'node:crypto';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { englishVoice } from '../../src/core/report/englishVoice.ts';
import { reportHtml } from '../../src/core/report/html.ts';
import { reportMarkdown } from '../../src/core/report/markdown.ts';
import { reportOf } from '../../src/core/report/reportOf.ts';
import { type Report, reportSchema } from '../../src/protocol/report.ts';
import { nameInId } from '../../src/protocol/serverId.ts';
import { expectGolden } from './expectGolden.ts';
import { reportSession } from './reportSession.ts';

/** The report of a recorded session of 10,000 calls. */
const folder = path.resolve(import.meta.dirname, '../fixtures/golden');
const CALLS = 10_000;

const voice = englishVoice(nameInId);

let report: Report;

beforeAll(async () => {
  report = await reportOf(reportSession(CALLS), {
    redact: (text) => text.replaceAll(/sk-live-\d/g, '[redacted:token:1]'),
    frame: { generatedAt: '2026-12-08T00:00:00.000Z', faultline: '1.2.3', scope: { sessions: [] } },
  });
});

describe('the report of a week of 10,000 calls', () => {
  it('reads as expected', () => {
    expectGolden(reportMarkdown(report, voice), folder, 'report-10k', 'md');
  });

  it('fits into a comment on a change', () => {
    expect(reportMarkdown(report, voice).length).toBeLessThan(65_536);
  });

  it('counts every call once, in all its tables', () => {
    const sum = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((a, b) => a + b, 0);
    const total = (of: readonly { readonly calls: number }[]) => of.reduce((all, { calls }) => all + calls, 0);
    expect({
      calls: report.totals.calls,
      outcomes: sum(report.totals.outcomes as Record<string, number>),
      tools: total(report.tools),
      servers: total(report.servers),
      agents: total(report.agents),
      timeline: total(report.timeline.buckets),
    }).toEqual({ calls: CALLS, outcomes: CALLS, tools: CALLS, servers: CALLS, agents: CALLS, timeline: CALLS });
    for (const { failures, errors, otherErrors } of report.tools) {
      expect(errors.reduce((all, { count }) => all + count, otherErrors)).toBe(failures);
    }
  });

  it('keeps its form as JSON, and shows no secret', () => {
    const json = JSON.stringify(report);
    expect(reportSchema.parse(JSON.parse(json))).toEqual(report);
    expect(json).not.toContain('sk-live');
  });

  it('is a page that runs nothing and loads nothing', () => {
    const hash = (text: string) => createHash('sha256').update(text).digest('base64');
    const page = reportHtml(report, voice, { place: 'page', hash, actions: [] });
    expect(page).not.toMatch(/<script|<link|<img|<iframe|\son\w+=|style=|url\(|https?:/i);
    const style = /<style>([\s\S]*)<\/style>/.exec(page)?.[1] ?? '';
    expect(page).toContain(`style-src 'sha256-${hash(style)}'`);
    expect(page.length).toBeLessThan(200_000);
  });
});
