import { describe, expect, it } from 'vitest';
import { policyPreview } from '../../../../src/core/replay/policyPreview.ts';
import { parsePolicy, readNumber } from '../../../../src/core/replay/policyText.ts';
import {
  boundReplayPolicy,
  POLICY_PRESETS,
  POLICY_RANGES,
  presetPolicy,
} from '../../../../src/core/replay/replayPolicy.ts';
import { firstBackoff } from '../../../../src/core/resilience/backoff.ts';
import { DEFAULT_REPLAY_POLICY, DEFAULT_RETRY_SETTINGS } from '../../../../src/core/resilience/policy.ts';
import { TEXTS } from '../../../../src/protocol/texts.ts';

const settings = { ...DEFAULT_RETRY_SETTINGS, maxAttempts: 4, baseMs: 200, timeoutMs: 5_000 };

describe('policyPreview', () => {
  it.each([
    [
      'growing waits with jitter',
      { maxAttempts: 4, baseMs: 1000, factor: 2, capMs: 3000, jitter: 0.5, timeoutMs: 10_000 },
      {
        attempts: 4,
        waits: [
          { minMs: 500, maxMs: 1000 },
          { minMs: 1000, maxMs: 2000 },
          { minMs: 1500, maxMs: 3000 },
        ],
        waiting: { minMs: 3000, maxMs: 6000 },
        silentMs: 46_000,
        longestMs: 4 * 600_000 + 3 * 60_000,
      },
    ],
    [
      'one attempt',
      { maxAttempts: 1 },
      { attempts: 1, waits: [], waiting: { minMs: 0, maxMs: 0 }, silentMs: 60_000, longestMs: 600_000 },
    ],
    [
      'waits that a server may not lengthen',
      { maxAttempts: 2, jitter: 0, retryAfterCapMs: 0 },
      {
        attempts: 2,
        waits: [{ minMs: 1000, maxMs: 1000 }],
        waiting: { minMs: 1000, maxMs: 1000 },
        silentMs: 121_000,
        longestMs: 1_201_000,
      },
    ],
  ])('of %s', (_name, change, expected) => {
    expect(policyPreview({ ...DEFAULT_REPLAY_POLICY, ...change })).toEqual(expected);
  });

  it.each([
    ['0', 0],
    ['0.37', 0.37],
    ['almost 1', 0.999],
  ])('holds every delay that the retry loop takes when chance gives %s', (_name, chance) => {
    const policy = { ...DEFAULT_REPLAY_POLICY, maxAttempts: 12, factor: 1.7, jitter: 0.8, capMs: 9_000 };
    let backoff = firstBackoff(policy, () => chance);
    const { waits } = policyPreview(policy);
    expect(waits).toHaveLength(11);
    for (const { minMs, maxMs } of waits) {
      expect(backoff.duration).toBeGreaterThanOrEqual(minMs);
      expect(backoff.duration).toBeLessThanOrEqual(maxMs);
      backoff = backoff.next(undefined);
    }
  });

  it('bounds what nobody can mean', () => {
    const wild = { maxAttempts: 1e9, baseMs: 1e12, factor: 1e9, capMs: 1e12, jitter: -3, timeoutMs: 1 };
    const { attempts, waits } = policyPreview({ ...DEFAULT_REPLAY_POLICY, ...wild });
    expect({ attempts, waits: waits.length, first: waits[0] }).toEqual({
      attempts: 20,
      waits: 19,
      first: { minMs: 3_600_000, maxMs: 3_600_000 },
    });
  });
});

describe('a preset', () => {
  it('is within the ranges and as it stands', () => {
    const presets = POLICY_PRESETS.map((name) => presetPolicy(name, settings));
    expect(presets.map(boundReplayPolicy)).toEqual(presets);
  });

  it('takes from the settings what it does not say', () => {
    expect(presetPolicy('configured', settings)).toEqual({
      ...DEFAULT_REPLAY_POLICY,
      maxAttempts: 4,
      baseMs: 200,
      timeoutMs: 5_000,
      retryAfterCapMs: 60_000,
    });
    expect(presetPolicy('none', settings)).toMatchObject({ maxAttempts: 1, timeoutMs: 5_000 });
  });
});

describe('parsePolicy', () => {
  const configured = presetPolicy('configured', settings);
  it.each([
    ['', configured],
    ['configured', configured],
    ['gentle', presetPolicy('gentle', settings)],
    [
      'attempts=5, base=500ms,factor=1.5,cap=10s,jitter=0,retry-after=2m,timeout=30s,repeat=timeout|tool_error',
      {
        maxAttempts: 5,
        baseMs: 500,
        factor: 1.5,
        capMs: 10_000,
        jitter: 0,
        retryAfterCapMs: 120_000,
        timeoutMs: 30_000,
        retryOn: ['timeout', 'tool_error'],
      },
    ],
    ['persistent,attempts=2', { ...presetPolicy('persistent', settings), maxAttempts: 2 }],
    ['none,repeat=none', { ...presetPolicy('none', settings), retryOn: [] }],
  ])('reads "%s"', (text, policy) => {
    expect(parsePolicy(text, settings)).toEqual({ policy });
  });

  it.each([
    ['mild', 'policy.unknownPreset', { name: 'mild' }],
    ['gentle,mild', 'policy.unknownWord', { word: 'mild' }],
    ['tries=3', 'policy.unknownWord', { word: 'tries' }],
    ['__proto__=3', 'policy.unknownWord', { word: '__proto__' }],
    ['attempts=0', 'policy.badNumber', { word: 'attempts', value: '0', range: '1 – 20' }],
    ['attempts=2.5', 'policy.badNumber', { value: '2.5' }],
    ['attempts=2s', 'policy.badNumber', { value: '2s' }],
    ['base=soon', 'policy.badNumber', { word: 'base' }],
    ['jitter=2', 'policy.badNumber', { range: '0 – 1' }],
    ['timeout=1ms', 'policy.badNumber', { word: 'timeout' }],
    ['repeat=success', 'policy.unknownOutcome', { name: 'success' }],
  ])('refuses "%s"', (text, code, args) => {
    const read = parsePolicy(text, settings);
    expect(read).toMatchObject({ problem: { code, args } });
    expect(TEXTS[code]).toBeDefined();
  });

  it.each([
    ['baseMs', '1.5 s', 1500],
    ['baseMs', '1,5s', 1500],
    ['baseMs', '250', 250],
    ['capMs', '2h', undefined],
    ['factor', '2s', undefined],
    ['jitter', '', undefined],
    ['jitter', '35 %', 0.35],
    ['jitter', '101%', undefined],
    ['factor', '35%', undefined],
  ] as const)('reads %s of "%s"', (name, text, value) => {
    expect(readNumber(name, text)).toBe(value);
  });

  it('takes both ends of every range', () => {
    const wrong = Object.entries(POLICY_RANGES).flatMap(([name, ends]) =>
      ends.filter((end) => readNumber(name as keyof typeof POLICY_RANGES, String(end)) !== end),
    );
    expect(wrong).toEqual([]);
  });
});
