import { expect, it, vi } from 'vitest';
import { plainWords, pseudo } from '../../../tools/l10n/pseudo.ts';
import { vscodeStub } from '../../support/vscodeStub.ts';
import { scene } from './scene.ts';

vi.mock('vscode', () => vscodeStub(pseudo));
const { WireEvidence } = await import('../../../../src/host/lint/wireEvidence.ts');
const { wireFindings } = await import('../../../../src/host/findings/wireFindings.ts');
const { callerFindings } = await import('../../../../src/host/findings/callerFindings.ts');
const { serverFindings } = await import('../../../../src/host/findings/serverFindings.ts');

it('the Findings tree has no English word in another language', () => {
  const { clock, silent, recording, servers } = scene();
  const evidence = new WireEvidence(silent, clock);
  vi.spyOn(evidence, 'ago').mockReturnValue('…');
  const findings = serverFindings(
    [wireFindings(silent, evidence), callerFindings(recording, evidence, clock)],
    servers,
  );
  const items = findings.nodes().flatMap(({ item, children }) => [item, ...children.map((child) => child.item)]);
  const texts = items.flatMap(({ label, description, tooltip, command, accessibilityInformation }) =>
    [label, description, tooltip, command?.title, accessibilityInformation?.label].map((text) => String(text ?? '')),
  );
  expect(texts.length).toBeGreaterThan(0);
  expect(texts.flatMap((text) => plainWords(text))).toEqual([]);
  findings.dispose();
  evidence.dispose();
});
