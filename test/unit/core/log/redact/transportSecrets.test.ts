import { expect, it } from 'vitest';
import { transportSecrets } from '../../../../../src/core/log/redact/transportSecrets.ts';

it('names the secrets of variables and headers, and nothing else', () => {
  const env = { API_KEY: 'k-1', NODE_ENV: 'production', DB_PASSWORD: 'p w' };
  expect([...transportSecrets({ type: 'stdio', command: 'a', args: [], env })]).toEqual([
    ['API_KEY', 'k-1'],
    ['DB_PASSWORD', 'p w'],
  ]);
  const headers = { Authorization: 'Bearer t-1', Accept: 'text/html' };
  expect([...transportSecrets({ type: 'http', url: 'https://a', headers })]).toEqual([['Authorization', 't-1']]);
});
