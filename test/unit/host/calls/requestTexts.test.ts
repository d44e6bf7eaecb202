import { describe, expect, it } from 'vitest';
import { completion, elicitationOf, questionOf } from '../../../../src/host/calls/requestTexts.ts';
import type { JsonObject } from '../../../../src/protocol/jsonrpc.ts';

describe('what a server asks a person', () => {
  it('is shown as a conversation, the end of it when it is long', () => {
    const messages = [
      { role: 'user', content: { type: 'text', text: 'Hello' } },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Hi' },
          { type: 'image', data: 'x' },
        ],
      },
      7,
    ];
    expect(questionOf({ systemPrompt: 'Be brief', messages })).toBe(
      'system: Be brief\n\nuser: Hello\n\nassistant: Hi\n[image]\n\n',
    );
    const long = questionOf({ messages: [{ role: 'user', content: { text: `${'x'.repeat(5000)}end` } }] });
    expect([long.length, long.startsWith('…'), long.endsWith('end')]).toEqual([1501, true, true]);
    expect(questionOf({})).toBe('');
  });

  it('is answered in the place of a model', () => {
    expect(completion('yes')).toMatchObject({ role: 'assistant', content: { type: 'text', text: 'yes' } });
  });

  it.each<readonly [JsonObject, object]>([
    [
      { message: 'Name?', requestedSchema: { type: 'object' } },
      { kind: 'form', message: 'Name?', schema: { type: 'object' } },
    ],
    [{ mode: 'form' }, { kind: 'form', message: '', schema: undefined }],
    [
      { mode: 'url', message: 'Pay', url: 'https://a.test/pay' },
      { kind: 'url', message: 'Pay', url: new URL('https://a.test/pay') },
    ],
    [{ mode: 'url', url: 'file:///etc/passwd' }, { kind: 'unfit' }],
    [{ mode: 'url', url: 'vscode://x' }, { kind: 'unfit' }],
    [{ mode: 'url', url: 7 }, { kind: 'unfit' }],
  ])('is told by its mode: %j', (params, expected) => {
    expect(elicitationOf(params)).toEqual(expected);
  });
});
