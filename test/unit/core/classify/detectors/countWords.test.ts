import { describe, expect, it } from 'vitest';
import { detectCounts } from '../../../../../src/core/classify/detectors/counts.ts';
import { viewResult } from '../../../../../src/core/classify/resultView.ts';
import { natureOf } from '../../../../../src/core/classify/toolNature.ts';

/** A word of each alternative that counts failures: the quick look at a text's stems must know them all. */
const WORDS =
  `failed|failures|failing|rejected|skipped|could not|couldn't|couldn’t|cannot|can't|can’t|unable|errors|errored|unreadable
invalid|missing|not found|not sent|were not|was not|timed out|aborted|stopped|interrupted|gave up|dropped|bounced|denied
fehlgeschlagen|fehler|abgelehnt|übersprungen|konnten|nicht|ungültig|fehlt|fehlen|échoué|échecs|erreurs|rejetés|rejetées|ignorés|refusés
impossible|fallaron|falló|fallidos|errores|rechazados|omitidas|no se pudieron|falharam|falhou|falhas|erros|rejeitadas|ignorados
falliti|errori|errore|rifiutati|saltate|scartati|non riuscite`.split(/[|\n]/);

function said(text: string): string | undefined {
  const request = { method: 'tools/call', target: 'import_rows', params: { name: 'import_rows', arguments: {} } };
  const view = viewResult({ content: [{ type: 'text', text }] }, '/result');
  return detectCounts(view, { request, nature: natureOf(request) })[0]?.says;
}

describe('words that count failures', () => {
  it.each(WORDS)('"%s" beside a count of what was done is partial', (word) =>
    expect([said(`12 imported, 3 ${word}: a, b, c`), said(`12 IMPORTED, 3 ${word.toUpperCase()}: a, b, c`)]).toEqual([
      'partial',
      'partial',
    ]),
  );

  it.each(['成功 12，失败 3', '12件成功、3件エラー', '12件完了、3件失敗'])('%s is partial', (text) =>
    expect(said(text)).toBe('partial'),
  );
});
