import type { Detector, Evidence } from '../evidence.ts';
import type { TextNode } from '../resultView.ts';
import { BENIGN_REASON } from './failureWords.ts';

/** A summary is short. In longer texts "3 of 5" is somebody's sentence. */
const MAX_SUMMARY = 1500;

const DONE_WORDS =
  `processed|completed?|succeeded|successful(?:ly)?|imported|exported|uploaded|downloaded|sent|delivered|converted|created|updated|deleted|removed|indexed|migrated|synced|synchroni[sz]ed|copied|moved|resized|translated|written|saved|stored|applied|published|installed|deployed|archived|transferred|inserted|loaded|submitted|scheduled|merged|rendered|encoded|backed up|restored|generated|fetched|parsed|read|scraped|crawled
verarbeitet|übernommen|importiert|exportiert|gesendet|verschickt|erstellt|angelegt|aktualisiert|gelöscht|konvertiert|übersetzt|kopiert|hochgeladen|heruntergeladen|gespeichert|erfolgreich|abgeschlossen|eingelesen
traités?|traitées?|importés?|importées?|envoyés?|envoyées?|créés?|créées?|convertis?|converties?|copiés?|téléchargés?|enregistrés?|supprimés?|mis à jour|réussis?|terminés?
(?:proces|import|envi|cre|convirti|copi|guard|actualiz|elimin|complet|carg)(?:aron|eron|ó)|procesad[oa]s?|(?:migr|registr|index|public|transfer|asign|notific|sincroniz|atribu|cadastr)(?:ad|id)[oa]s?|importad[oa]s?|enviad[oa]s?|cread[oa]s?|convertid[oa]s?|copiad[oa]s?|guardad[oa]s?|actualizad[oa]s?|eliminad[oa]s?|completad[oa]s?|subid[oa]s?|descargad[oa]s?
processad[oa]s?|criad[oa]s?|salv[oa]s?|atualizad[oa]s?|excluíd[oa]s?|concluíd[oa]s?|carregad[oa]s?
elaborat[ioae]|importat[ioae]|inviat[ioae]|creat[ioae]|convertit[ioae]|copiat[ioae]|salvat[ioae]|aggiornat[ioae]|eliminat[ioae]|completat[ioae]|caricat[ioae]`.replaceAll(
    '\n',
    '|',
  );
const DONE = new RegExp(
  `(?<![\\p{L}])(?:${DONE_WORDS})(?![\\p{L}])|成功|完成|已(?:处理|导入|上传|发送|创建|更新|删除)|处理了|処理|成功|完了|インポート|送信|作成|更新|変換`,
  'iu',
);

const FAILED_WORDS =
  `failed|failures?|failing|rejected|skipped|could not|couldn['’]t|cannot|can['’]t|unable|errors?|errored|unreadable|invalid|missing|not (?:found|processed|imported|sent|delivered|created|updated|converted|uploaded|copied|reachable|written)|were not|was not|timed out|aborted|stopped|interrupted|gave up|dropped|bounced|denied
fehlgeschlagen|fehler|abgelehnt|übersprungen|konnten?|nicht|ungültig|fehlt|fehlen
échoué|échoués|échouée|échecs?|erreurs?|rejetés?|rejetées?|ignorés?|ignorées?|refusés?|impossible
fallaron|falló|fallid[oa]s?|errores?|rechazad[oa]s?|omitid[oa]s?|no se pud(?:o|ieron)
falharam|falhou|falhas?|erros?|rejeitad[oa]s?|ignorad[oa]s?
fallit[ioae]|errori|errore|rifiutat[ioae]|saltat[ioae]|scartat[ioae]|non riuscit[ioae]`.replaceAll('\n', '|');
const FAILED = new RegExp(
  `(?<![\\p{L}])(?:${FAILED_WORDS})(?![\\p{L}])|失败|失敗|跳过|错误|エラー|スキップ|拒否|拒绝`,
  'iu',
);
const HARMLESS =
  /\b(?:0|no|zero|without|keine?|aucune?|sin|sem|nessun[oa]?|none) (?:\p{L}+ ){0,2}(?:failed|failures?|errors?|rejected|skipped|fehler|erreurs?|échecs?|errores|erros|errori)|(?:failed|failures?|errors?|rejected|skipped|fehler|erreurs?|errores|erros|errori)\s?[:=]\s?0\b|\b0 (?:fehlgeschlagen|abgelehnt|übersprungen)|失败\s?[:：]?\s?0|0\s?(?:件|个)?(?:失败|失敗|エラー)/giu;

const SKIPPED =
  /skipped|skipping|übersprungen|ignorés?|ignorées?|ignorad[oa]s?|omitid[oa]s?|saltat[ioae]|跳过|スキップ/giu;
/** One of these is, in lower case, in whatever `FAILED`, `HARMLESS`, `SKIPPED` and `FAILED_COUNT` match. */
const FAILED_STEMS =
  /fail|reject|skip|could ?n|can['’]t|unable|erro|unreadable|invalid|missing|not|timed out|abort|stopped|interrupted|gave up|dropped|bounced|denied|fehl|abgelehnt|übersprungen|konnte|nicht|ungültig|échou|échec|erreur|rejet|ignor|refus|impossible|fall|rechaz|omitid|no se pud|falh|rejeitad|rifiutat|saltat|scartat|non riuscit|失败|失敗|跳过|错误|エラー|スキップ|拒否|拒绝/;
const REASON = /\b(?:because|due to|since|weil|wegen|car|porque|por|perché|per)\b|[(（]|[:：]\s?\S/iu;

/** Windows and positions, in which "3 of 5" says nothing of work undone. */
const NOT_WORK =
  /\b(?:showing|shows?|displaying|displayed|page|pages|step|chapter|part|section|slide|line|lines|rows? \d|top|first|last|results? \d|rated|rating|stars?|score|scored|version|episode|day|week|level|phase|stage|attempt|try|option|question|seite|schritt|teil|zeige|étape|página|paso|etapa|passo|pagina)\s*:?\s*$/i;
/** "Alert if 3 of 5 fail" is a rule. */
const CONDITION = /\b(?:if|when|unless|whenever|wenn|falls|quando|cuando|lorsque)\b[^.\n]{0,60}$/i;
const STILL_RUNNING =
  /\b(?:so far|in progress|still (?:running|working)|remaining|continu(?:e|ing)|läuft noch|en cours|en curso|em andamento|in corso)\b/i;

const OF =
  /(\d{1,9})\s(?:[\p{L}-]{1,30}\s){0,2}?(?:of|out of|von|sur|de los|de las|de|di|su|из|z)\s{1,2}(?:the |den |les |los |las |gli |i |le )?(\d{1,9})(?!\d|[.,]\d)|(\d{1,9})\s?\/\s?(\d{1,9})(?![\d/])/giu;
const CJK_OF = /(?:共|总共|全)\s?(\d{1,9})\s?[\p{L}]{0,6}[,，、。]?[^\d\n]{0,20}?(\d{1,9})/gu;
const CJK_OF_JA = /(\d{1,9})\s?\p{L}{0,3}?(?:中|のうち)[、,]?\s?(\d{1,9})/gu;
const FAILED_COUNT = new RegExp(
  `(?<![\\d.,-])(\\d{1,9})\\s{1,2}(?:[\\p{L}-]{1,30} ){0,3}?(?:${FAILED_WORDS})(?![\\p{L}])|(?:${FAILED_WORDS})\\s?[:=]\\s?(\\d{1,9})(?![\\d.])|(?<![\\p{L}])(?:could not|couldn['’]t|failed to|unable to) \\p{L}+ (\\d{1,9})(?![\\d.])|失败\\s?[:：]?\\s?(\\d{1,9})|(\\d{1,9})\\s?(?:个|条|件|項目)?\\p{L}{0,4}(?:失败|失敗|エラー)`,
  'giu',
);
const DONE_COUNT = new RegExp(
  `(?<![\\d.,-])(\\d{1,9})\\s{1,2}(?:[\\p{L}-]{1,30} ){0,3}?(?:${DONE_WORDS})(?![\\p{L}])|(?<![\\p{L}])(?:${DONE_WORDS})\\s?:?\\s{1,2}(\\d{1,9})(?![\\d.])|成功\\s?[:：]?\\s?(\\d{1,9})|(\\d{1,9})\\s?(?:个|条|件)?\\p{L}{0,4}(?:成功|完了)`,
  'giu',
);

/** A short text counts fewer done than there were: "7 of 10", "12 von 15", "120 imported, 4 failed". */
export const detectCounts: Detector = (view, { nature }) => {
  const first = view.texts[0];
  const isQuoted = nature.reports || nature.executes || nature.makesText || nature.reads || nature.carriesContent;
  if (isQuoted || first === undefined || view.texts.length > 3 || first.text.length > MAX_SUMMARY) {
    return [];
  }
  // Without a number there is no count, and most texts have none.
  const found = /\d/.test(first.text) ? inText(first) : undefined;
  return found === undefined ? [] : [found];
};

function inText(node: TextNode): Evidence | undefined {
  const mayTellFailed = FAILED_STEMS.test(node.text.toLowerCase());
  const text = mayTellFailed ? node.text.replace(HARMLESS, ' ') : node.text;
  if (mayTellFailed && isSkippedOnPurpose(text)) {
    return undefined;
  }
  for (const { done, total, before, length } of ratios(text)) {
    if (done >= total || total > 1e9 || NOT_WORK.test(before)) {
      continue;
    }
    const sentence = sentenceAround(text, before.length);
    if (
      !DONE.test(sentence) ||
      STILL_RUNNING.test(sentence) ||
      CONDITION.test(before) ||
      !(
        (mayTellFailed && FAILED.test(text)) ||
        tellsRest(`${before} ${text.slice(before.length + length)}`, total - done) ||
        /^\s*(?:only|nur|seulement|solo|apenas|somente|soltanto)\b/i.test(text)
      )
    ) {
      continue;
    }
    return done === 0 ? undefined : counted(node, done, total);
  }
  const failed = mayTellFailed ? firstCount(text, FAILED_COUNT) : undefined;
  const done = failed === undefined || failed === 0 ? undefined : firstCount(text, DONE_COUNT);
  if (failed === undefined || done === undefined) {
    return undefined;
  }
  if (done > 0) {
    return counted(node, done, done + failed);
  }
  return {
    says: 'failed',
    signal: {
      code: 'signal.silent.allFailed',
      strength: 'medium',
      pointer: node.pointer,
      args: { key: '', count: failed, done },
    },
    cause: node.text,
  };
}

/** Skipping what needs nothing is no failure; without a reason it may well be that. */
function isSkippedOnPurpose(text: string): boolean {
  const rest = text.replaceAll(SKIPPED, ' ');
  return rest !== text && !FAILED.test(rest) && (BENIGN_REASON.test(text) || !REASON.test(text));
}

/** "18 of 20 sent; 2 bounced": whatever the word, the rest is accounted for apart. */
function tellsRest(text: string, rest: number): boolean {
  return new RegExp(`(?<![\\d.,:/-])${rest}(?![\\d.,:/%])\\s+\\p{L}`, 'u').test(text);
}

interface Ratio {
  readonly done: number;
  readonly total: number;
  /** The text in front of it. */
  readonly before: string;
  /** Of the ratio itself. */
  readonly length: number;
}

function ratios(text: string): readonly Ratio[] {
  const found: Ratio[] = [];
  for (const match of text.matchAll(OF)) {
    const [, a, b, c, d] = match;
    const isDate = c !== undefined && /[-/.:]$/.test(text.slice(0, match.index));
    if (!isDate) {
      found.push({
        done: Number(a ?? c),
        total: Number(b ?? d),
        before: text.slice(0, match.index),
        length: match[0].length,
      });
    }
  }
  for (const match of [...text.matchAll(CJK_OF), ...text.matchAll(CJK_OF_JA)]) {
    found.push({
      done: Number(match[2]),
      total: Number(match[1]),
      before: text.slice(0, match.index),
      length: match[0].length,
    });
  }
  return found.slice(0, 20);
}

/** The line that `offset` lies in: a full stop may be part of a name. */
function sentenceAround(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset) + 1;
  const end = text.indexOf('\n', offset);
  return text.slice(start, end < 0 ? undefined : end);
}

function firstCount(text: string, pattern: RegExp): number | undefined {
  for (const match of text.matchAll(pattern)) {
    const digits = match.slice(1).find((group) => group !== undefined);
    if (digits !== undefined) {
      return Number(digits);
    }
  }
  return undefined;
}

function counted(node: TextNode, done: number, total: number): Evidence {
  return {
    says: 'partial',
    signal: { code: 'signal.partial.count', strength: 'strong', pointer: node.pointer, args: { done, total } },
    cause: node.text,
    partial: { done, total, missing: namesIn(node.text) },
  };
}

/** Items named after a colon in a line that tells of failures: "Skipped because unreadable: p03.heic, p08.heic". */
function namesIn(text: string): readonly string[] {
  for (const line of text.split('\n')) {
    const colon = line.lastIndexOf(': ');
    const names =
      colon < 0
        ? []
        : line
            .slice(colon + 2)
            .replace(/(?<![.)])[.)]+\s*$/, '')
            .split(/,\s+|\s+(?:and|und|et|y|e)\s+/);
    if (FAILED.test(line.slice(0, Math.max(colon, 0))) && names.every((name) => /^\S{1,120}$/.test(name.trim()))) {
      return names.map((name) => name.trim()).slice(0, 50);
    }
  }
  return [];
}
