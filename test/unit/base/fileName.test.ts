import { describe, expect, it } from 'vitest';
import { fileNameOf } from '../../../src/base/fileName.ts';

describe('a name of somebody else', () => {
  it.each([
    ['books', 'books'],
    ['../../.ssh/authorized_keys', 'ssh-authorized_keys'],
    ['..', ''],
    ['.', ''],
    ['..\\..\\x', 'x'],
    ['/etc/passwd', 'etc-passwd'],
    ['C:\\x', 'C-x'],
    ['a\0b\n\u202ec', 'a-b-c'],
    ['-rf', 'rf'],
    ['日本', ''],
    ['x'.repeat(500), 'x'.repeat(60)],
  ])('is suggested for a file as a name alone: %j', (text, expected) => expect(fileNameOf(text)).toBe(expected));
});
