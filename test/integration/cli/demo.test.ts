import { describe, expect, it } from 'vitest';
import { demoSteps } from '../../../src/demo/steps.ts';
import { runCli } from './runCli.ts';

describe('faultline demo', () => {
  it('plays the scripted agent, and every call ends as foreseen', async () => {
    const { code, stdout, stderr } = await runCli(['demo', '--format', 'json']);
    const steps = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(steps.map((step) => [step['id'], step['outcome']])).toEqual(demoSteps.map((step) => [step.id, step.expect]));
    const attemptsOf = (id: string) => steps.find((step) => step['id'] === id)?.['attempts'];
    expect(attemptsOf('flaky')).toEqual(['timeout', 'protocol_error', 'success']);
    expect(attemptsOf('payment')).toEqual(['transport_error', 'success']);
    expect(attemptsOf('supplier')).toEqual(['timeout']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});
