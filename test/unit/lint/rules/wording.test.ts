import { describe, expect, it } from 'vitest';
import { isErrorName, natureOf, wordingOf } from '../../../../src/lint/rules/wording.ts';

describe('wordingOf', () => {
  it.each([
    ['Error: no such file', 'error'],
    ['**ERROR** x', 'error'],
    ['[ERROR] x', 'error'],
    ['\u{274c} x', 'error'],
    ['An error occurred while reading', 'error'],
    ['GitHub API error: 404', 'error'],
    ['TypeError: x', 'error'],
    ['Failed to read', 'error'],
    ['Code review failed: x', 'error'],
    ['Operation timed out after 3 s', 'error'],
    ['Could not open', 'error'],
    ['HTTP 404', 'error'],
    ['Erreur : fichier', 'error'],
    ['\u{9519}\u{8bef}: x', 'error'],
    ['isbn is required', 'input'],
    ['stars must be between 1 and 5', 'input'],
    ['Unknown tool x', 'input'],
    ['Unsupported operation: fold', 'input'],
    ['Unknown reader x', 'refusal'],
    ['The loan was not recorded successfully.', 'refusal'],
    ['The loan was recorded successfully.', 'benign'],
    ['No se pudo abrir el libro', 'error'],
    ['No se pueden prestar libros', 'error'],
    ['No existe el libro', 'refusal'],
    ['No se encontr\u{f3} el libro 3', 'notFound'],
    ['No se encontraron libros', 'empty'],
    ['No hay libros', 'empty'],
    ['Impossibile aprire il libro', 'error'],
    ['No reading session available', 'input'],
    ['No reading rooms available', 'empty'],
    ['Your booklist is currently empty. Lend some books first!', 'empty'],
    ['Catalogue is empty', 'empty'],
    ['Error reporting the loan: x', 'error'],
    ['Error counting books: x', 'error'],
    ['Error report of May', 'benign'],
    ['Loan already recorded within a day', 'benign'],
    ['Contact added successfully (second attempt failed before)', 'benign'],
    ['You are already a member', 'benign'],
    ['Merge partially completed, 2 failed', 'benign'],
    ['No styling options were provided', 'input'],
    ['No project currently open', 'input'],
    ['Query is empty', 'refusal'],
    ['Please provide a URL', 'input'],
    ['Credenciais n\u{e3}o configuradas', 'refusal'],
    ['Did not receive an answer', 'error'],
    ['# Fetch Error\n\nURL: x', 'error'],
    ['Payment gateway error: x', 'error'],
    ['The path /a does not exist', 'refusal'],
    ['Semantic search disabled (set EMBEDDER to enable)', 'refusal'],
    ['Book 3 not found', 'notFound'],
    ['\u{672a}\u{627e}\u{5230}\u{5217}\u{8f66} x', 'notFound'],
    ['\u{6ca1}\u{6709}\u{627e}\u{5230} x', 'empty'],
    ['\u{274c} No requests found', 'marked'],
    ['No instances are currently running', 'empty'],
    ['Page is empty or has only images', 'empty'],
    ['Last error: none', 'benign'],
    ['Did not delete x', 'none'],
    ['# Full Scan Of Host Error\n\nTarget: x', 'error'],
    ["I couldn't find any page about x", 'empty'],
    ['Rate limit exceeded', 'error'],
    ['Rate limit queue cleared', 'none'],
    ['Error fields for the path x:', 'benign'],
    ["Deleting requires confirmation. Set 'confirm': true", 'benign'],
    ['Deletion not confirmed', 'benign'],
    ['No progress token provided', 'benign'],
    ['No color provided. Using default', 'benign'],
    ['Stopped by the user', 'benign'],
    ['No matching city found', 'notFound'],
    ['No item found with key: x', 'notFound'],
    ['No results found', 'empty'],
    ['No news found for x', 'empty'],
    ['No tracks match the supplied filters', 'empty'],
    ['No content found for the provided URL', 'empty'],
    ["You don't have any playlists", 'empty'],
    ['The folder is empty', 'empty'],
    ['Nenhuma pessoa cadastrada', 'empty'],
    ['Error log of today', 'benign'],
    ['Dry run: nothing was deleted', 'benign'],
    ['Payment declined by user', 'benign'],
    ['\u{2705} Done', 'benign'],
    ['Rerun with confirm=true to overwrite what cannot be restored', 'benign'],
    ['Saved', 'benign'],
    ['Sunny, 23 degrees', 'none'],
    ['', 'none'],
    ['[]', 'none'],
  ])('%j is %s', (text, expected) => {
    expect(wordingOf(text)).toBe(expected);
  });

  it('stays fast on hostile text', () => {
    const hostile = [
      `no ${'a '.repeat(50_000)}`,
      `${'x '.repeat(50_000)}failed`,
      ' '.repeat(100_000),
      'not '.repeat(50_000),
    ];
    for (const text of hostile) {
      expect(['none', 'empty', 'refusal', 'error']).toContain(wordingOf(text));
    }
  });
});

describe('natureOf', () => {
  it.each([
    ['search_books', { isList: true, isSearch: true, isReport: false }],
    ['listBooks', { isList: true, isSearch: false, isReport: false }],
    ['get_job', { isList: false, isSearch: false, isReport: true }],
    ['check-connection', { isList: false, isSearch: false, isReport: true }],
    ['getErrorLog', { isList: false, isSearch: false, isReport: true }],
    ['record_test_run', { isList: false, isSearch: false, isReport: false }],
    ['create_error_log', { isList: false, isSearch: false, isReport: true }],
    ['open_book', { isList: false, isSearch: false, isReport: false }],
    [undefined, { isList: false, isSearch: false, isReport: false }],
  ])('of %s', (name, expected) => {
    expect(natureOf(name)).toEqual(expected);
  });
});

describe('isErrorName', () => {
  it.each(['err', 'error', 'errorMsg', 'row_err', 'as_error', 'toolError', 'missing', '_NO_SESSION', 'handleFailure'])(
    '%s',
    (name) => {
      expect(isErrorName(name)).toBe(true);
    },
  );

  it.each(['interrupt', 'ferry', 'terrain', 'result', 'NODE', 'notes', 'profile', undefined])('not %s', (name) => {
    expect(isErrorName(name)).toBe(false);
  });
});
