import { describe, expect, it, vi } from 'vitest';
import { vscodeStub } from '../../support/vscodeStub.ts';
import { scene } from './scene.ts';

vi.mock('vscode', () => vscodeStub());
const { WireEvidence } = await import('../../../../src/host/lint/wireEvidence.ts');
const { serverFindings } = await import('../../../../src/host/findings/serverFindings.ts');
const { wireFindings } = await import('../../../../src/host/findings/wireFindings.ts');
const { callerFindings } = await import('../../../../src/host/findings/callerFindings.ts');

describe('findings of servers', () => {
  it('stand under their server, what was seen before what callers do, each with its row and tool', () => {
    const { clock, silent, recording, servers } = scene();
    const evidence = new WireEvidence(silent, clock);
    const findings = serverFindings(
      [wireFindings(silent, evidence), callerFindings(recording, evidence, clock)],
      servers,
    );
    const drawn = findings
      .nodes()
      .flatMap(({ item, children }) => [
        `${item.label} | ${item.description}`,
        ...children.map(({ item: line, toolName, server, row }) =>
          [line.label, line.description, line.contextValue, toolName, server, row, line.command?.arguments].join(' | '),
        ),
      ]);
    expect(drawn).toEqual([
      '1 | seen on the wire',
      '2 | 2 silent errors · 2 minutes ago | findings.tool.silent | 2 | test:1 | 5 | 5',
      '1 | 1 silent error · 2 minutes ago | findings.tool.silent | 1 | test:1 | 1 | 1',
      '3 | loop of 4 calls · 2 minutes ago | findings.tool.behaviour | 3 | test:1 | 17 | 17',
      '2 | seen on the wire',
      '3 | possible duplicate · 2 minutes ago | findings.tool.behaviour | 3 | test:2 | 23 | 23',
    ]);
    findings.dispose();
    evidence.dispose();
    expect(clock.pendingMs()).toEqual([]);
  });
});
