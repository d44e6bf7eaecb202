import { describe, expect, it, vi } from 'vitest';
import { vscodeStub } from '../../support/vscodeStub.ts';

vi.mock('vscode', () => vscodeStub());

const { describeStatus, isTroubled, statusLine } = await import('../../../../src/host/otlp/statusText.ts');

const status = {
  endpoint: 'http://localhost:4318/v1/traces',
  protocol: 'grpc',
  state: { kind: 'idle' },
  sent: 5,
  waiting: 2,
  dropped: {},
} as const;
const waiting = (failures: number) => ({
  kind: 'on' as const,
  status: {
    ...status,
    state: { kind: 'waiting' as const, why: 'HTTP 503', untilUs: 1, failures },
    lastProblem: 'HTTP 503',
  },
});
const lossy = { kind: 'on', status: { ...status, dropped: { queue_full: 3 }, lastProblem: 'HTTP 400' } } as const;

describe('how the export goes', () => {
  it('is said in the status bar, what is wrong first', () => {
    expect(statusLine({ kind: 'on', status })).toEqual({
      text: '$(cloud-upload) OTLP',
      tooltip: 'Exporting to http://localhost:4318/v1/traces (grpc). Spans sent: 5, waiting: 2.',
      severity: 'none',
    });
    expect(statusLine(waiting(1))).toMatchObject({
      text: '$(warning) OTLP',
      severity: 'warning',
      tooltip: expect.stringMatching(/^The collector takes nothing for now, .*: HTTP 503\nExporting to /),
    });
    expect(statusLine(lossy)).toMatchObject({
      text: '$(warning) OTLP',
      severity: 'none',
      tooltip: expect.stringMatching(/^Spans that found no room in the queue: 3\.\nHTTP 400\nExporting/),
    });
    expect(statusLine({ kind: 'off', why: 'Because.' })).toMatchObject({
      text: '$(error) OTLP',
      severity: 'error',
      tooltip: 'Nothing is exported to OpenTelemetry: Because.',
    });
  });

  it('is worth telling once something stays wrong', () => {
    const states = [{ kind: 'starting' } as const, { kind: 'on', status } as const, waiting(2), waiting(3), lossy];
    expect(states.map((state) => isTroubled(state, 3))).toEqual([false, false, false, true, true]);
  });

  it('names no address in a bug report', () => {
    const text = [waiting(3), lossy].flatMap(describeStatus).join('\n');
    expect(text).toBe(
      [
        '- grpc, waiting: 5 spans sent, 2 waiting',
        '- last problem: HTTP 503',
        '- grpc, idle: 5 spans sent, 2 waiting',
        '- 3 lost: queue_full',
        '- last problem: HTTP 400',
      ].join('\n'),
    );
    const refused = { ...status, lastProblem: 'connect ECONNREFUSED 10.0.0.7:4318' };
    expect(describeStatus({ kind: 'on', status: refused })[1]).toBe('- last problem: ECONNREFUSED');
  });
});
