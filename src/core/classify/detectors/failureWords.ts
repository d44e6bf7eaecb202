import { MORE_FAILURE_WORDS } from './failureLanguages.ts';

/** How a failure is announced at the start of a text, by language. */
export interface FailureWords {
  readonly language: string;
  /** One of these is in every text that the patterns match, in lower case: a text without any need not be looked at. */
  readonly stems: readonly string[];
  /** Announce a failure by themselves. Matched against the undecorated head of a text. */
  readonly openings: readonly RegExp[];
  /** Say that something was not done; enough for a short text about a tool's own act. */
  readonly negations: readonly RegExp[];
}

/**
 * Patterns are anchored or bounded, so that each is linear in the few hundred characters that it sees. "Error handling
 * in Go" is a heading: an English gerund after "Error" needs a colon or the end of a short line, and some are excluded.
 */
export const FAILURE_WORDS: readonly FailureWords[] = [
  ...MORE_FAILURE_WORDS,
  {
    language: 'en',
    stems:
      `error|exception|fail|fatal|crash|abort|problem|npm err|not|n't|n’t|unable|unavailable|exceeded|denied|unauth|exhausted|invalid|internal|unimplemented|already|wrong|forbidden|missing|bad |expired|unknown|unsupported|malformed|unrecogni|required|refus|timed out| lost| reset|timeout|rate limit|quota|usage limit|too many|oops|uh-oh|uh oh|try again|reject|declin|blocked|unsuccess|no such|so no|and no|therefore no|nothing|no |impossib|nicht|posible|possível`.split(
        '|',
      ),
    openings: [
      /^\W{0,2}(?!last |latest |previous |recent |mean |squared |average |standard |absolute |relative |rounding |margin |max |maximum |total |known |training |test |prediction |human |typical |root )(?:[a-z][\w-]{0,20} ){0,3}(?:error|exception|failure)(?: code)?(?: ?#?-?\d{1,6})?(?: ?[([](?!n\.|noun|verb|adj|plural|pl\.)[^\s)\]]{1,40}[)\]])?\s?[:：](?!\s*(?:[-+]?\d[\d.,]*\s*%?|none|no|nil|null|n\/a|-)\s*(?:$|[\n,;]))/i,
      /^\W{0,2}(?:error|failure|failed|fatal)(?: \d{3})?\s?(?:[\])!]|[-–—] |$|\n)/i,
      /^\W{0,2}(?:fatal|failed|crash|abort(?:ed)?)\s?:/i,
      /^error (?:while |when |during |in |on |at |trying to )?(?!handling|reporting|logging|checking|tracking|monitoring|correct|detecti|boundar|messag|codes?|pages?|types?|log|rate|budget)[a-z]{3,20}(?:ing|ion)\b[^\n]{0,160}?(?::|$|\n|\. )/i,
      /^(?:an? |the )?(?:[a-z]+ ){0,2}(?:error|exception|problem|failure)s? (?:has |have |was |were )?(?:occur|happen|encounter|raised|thrown|prevent)/i,
      /^error (?!handling|reporting|logging|checking|tracking|monitoring|correct|detect|boundar|messages?\b|codes?\b|pages?\b|types?\b|logs?\b|rates?\b|budget|count|margin|bars?\b|term)[a-z][^:\n]{0,60}: (?![-+]?\d)/i,
      /^npm (?:ERR!|error)/,
      /^you (?:do not|don['’]t|are not|aren['’]t|cannot|can['’]t) (?:have (?:the |sufficient |enough )?(?:permissions?|access|rights|privileges)|(?:allowed|authori[sz]ed|permitted) to)\b/i,
      /^(?:g?rpc error\b|(?:g?rpc error )?\(?\d{1,2}\)?:? (?:UNAVAILABLE|DEADLINE_EXCEEDED|NOT_FOUND|PERMISSION_DENIED|UNAUTHENTICATED|RESOURCE_EXHAUSTED|FAILED_PRECONDITION|INVALID_ARGUMENT|INTERNAL|UNIMPLEMENTED|ABORTED|ALREADY_EXISTS)\b)/i,
      /^(?:the |our )?(?:[a-z][\w-]{0,20} ){0,3}(?:service|server|api|backend|provider|upstream|host|endpoint|database) (?:did not|didn['’]t|does not|doesn['’]t|is not|isn['’]t) (?:respond|responding|answer|answering|reply|reachable|available)\b/i,
      /^(?:failed|unable|not able) to [a-z]/i,
      /^(?:could not|couldn['’]t|cannot|can['’]t|can not|unable) [a-z]{2,}/i,
      /^something went (?:badly )?wrong\b/i,
      /^(?:access|permission|authorization) (?:was )?denied\b/i,
      /^(?:unauthori[sz]ed|forbidden|unauthenticated|not authori[sz]ed)\b(?=\W|$)/i,
      /^(?:invalid|missing|bad|wrong|expired|unknown) (?:or [a-z]+ )?(?:[\w-]{1,20} ){0,2}(?:api[ _-]?key|token|credentials?|request|arguments?|parameters?|input|password|session|tool|command|method|id|url|path|format)\b/i,
      /^(?:invalid|unsupported|malformed|unrecogni[sz]ed) (?:[\w'-]{1,30} ){0,2}[\w'-]{1,30}\s?[:：] \S/i,
      /^(?:authentication|authorization|validation|login|connection|network|request|query|upload|download|tool) (?:failed|failure|required|error|refused|timed out|lost|reset|timeout)\b/i,
      /^(?:api )?(?:rate limit|quota|usage limit)(?: has been| was| is)? (?:exceeded|reached|used up|hit)\b/i,
      /^(?:too many requests|request timed out|operation timed out|timed out\b|timeout (?:of|after|while|exceeded)|service (?:is )?(?:temporarily )?unavailable)\b/i,
      /^(?:oops|whoops|uh[- ]oh)\b/i,
      /^(?:i['’]?m |we['’]?re )?(?:sorry|unfortunately|apologies)\b[^\n]{0,80}?\b(?:could not|couldn['’]t|cannot|can['’]t|unable|failed|error|was not|were not|went wrong|unavailable|not available|not found|try again)\b/i,
    ],
    negations: [
      /^(?:the |your |this )?(?!\d)(?:[a-z][\w"'`.-]{0,40} ){1,5}(?:has |have )?(?:failed|timed out|was (?:rejected|refused|aborted|denied|declined|blocked|unsuccessful)|is (?:currently |temporarily )?unavailable|crashed)\b(?:\s?[:!.,;(–—-]|\s*$|\n| with | by | because | due | after | to | on | for )/i,
      /^[^.\n]{1,120}?\b(?:was|were|is|are|has|have|had|could|can)(?: not|n['’]t) (?:be |been )?(?:\w+ly )?(?:created|saved|sent|updated|deleted|added|removed|written|uploaded|downloaded|processed|completed|executed|performed|applied|delivered|published|started|opened|loaded|accepted|booked|scheduled|submitted|imported|exported|stored|converted|translated|generated|installed|deployed|merged|assigned|moved|copied|renamed|reached|connected|authori[sz]ed|read|parsed|retrieved|fetched|found|charged|cancelled|registered|resolved)\b/i,
      /^[^.\n]{1,80}? not (?:created|saved|sent|updated|deleted|added|removed|written|uploaded|downloaded|processed|completed|executed|performed|applied|delivered|published|loaded|accepted|booked|scheduled|submitted|imported|exported|stored|converted|translated|generated|installed|deployed|merged|assigned|moved|copied|renamed|reached|connected|authori[sz]ed|parsed|retrieved|fetched|charged|cancelled|registered|resolved)\s?(?:[:;!—–]|because\b|due to\b|\.?\s*$)/i,
      /^(?:the |this |that )?(?:[\w"'`.#-]{1,40} ){1,5}(?:does not exist|do not exist|doesn['’]t exist|not found|already exists)\b/i,
      /^(?:the |your )?(?:[\w"'`.-]{1,40} ){1,5}(?:did not|didn['’]t|does not|doesn['’]t|is not|isn['’]t|are not) (?:respond|responding|answer|answering|reply|reachable|available|working|running)\b/i,
      /^(?:not found|no such)\b/i,
      /^[^\n]{1,160}[,;] (?:so|and|therefore) (?:no \w+|nothing) (?:was|were|has been|have been|could be) \p{L}+ed\b/iu,
      /^[^.\n]{1,100}\s?[:：;,] ?(?:unable to|impossible de |impossible d['’]|nicht möglich\b|no es posible |não é possível |impossibile )/iu,
      /^(?:i|we) (?:could not|couldn['’]t|was unable|were unable|am unable|was not able|were not able|cannot|can['’]t|failed to)\b/i,
      /^(?:[a-z][\w-]{0,30} ){1,4}(?:declined|rejected|refused|denied)(?:\s?[:.!(]| by (?:the )?\w)/i,
      /^(?:nothing was|no \w+ (?:was|were)) (?:created|saved|sent|updated|written|changed|imported|deleted)\b/i,
    ],
  },
  {
    language: 'de',
    stems: ['fehl', 'nicht', 'verweiger', 'abgelehnt', 'ungültig', 'zeitüber', 'gescheitert'],
    openings: [
      /^(?:[\p{L}-]{0,20})?fehler\b(?: \d{1,5})?\s?(?:[:：!](?!\s*(?:\d|keine?\b))|$|\n|beim |bei |während |in |im |[-–—] )/iu,
      /^(?:es ist )?(?:ein|leider ein|folgender) (?:\p{L}+ )?fehler (?:ist )?(?:aufgetreten|passiert)/iu,
      /^es ist (?:\p{L}+ ){0,3}fehler aufgetreten/iu,
      /^(?:zugriff|berechtigung|anfrage|anmeldung) (?:wurde )?(?:verweigert|abgelehnt|fehlgeschlagen)/iu,
      /^(?:ungültige[rsn]?|fehlende[rsn]?) \p{L}/iu,
      /^[^.\n]{0,120}?\bkonnten? (?:\S+ ){0,8}?nicht\b/iu,
      /^zeitüberschreitung/iu,
    ],
    negations: [
      /^(?:\p{L}+ ){1,4}(?:abgelehnt|verweigert)\s?[:.!]/iu,
      /^(?:\p{L}[\p{L}\d"„“'-]{0,40} ){0,4}(?:ist )?(?:fehlgeschlagen|gescheitert)\b/iu,
      /^[^.\n]{1,120}?\b(?:wurden?|ist|sind) nicht (?:\p{L}+ )?(?:\p{L}*ge\p{L}+|erstellt|übernommen|importiert|gefunden)/iu,
    ],
  },
  {
    language: 'fr',
    stems: [
      'erreur',
      'échec',
      'échou',
      'impossible',
      'refus',
      'interdit',
      "n'",
      'n’',
      'délai',
      'temps',
      'introuvable',
      'rejet',
    ],
    openings: [
      /^(?:une )?erreur\b\s?(?:\d{1,5}\s?)?(?:[:：!]|$|\n|lors |de (?:la |l['’]|le )?\p{L}|pendant |interne|inattendue|[-–—] )/iu,
      /^(?:une )?erreur (?:\p{L}+ ){0,2}(?:est survenue|s['’]est produite)/iu,
      /^échec\b/iu,
      /^(?:il est )?impossible (?:de |d['’])/iu,
      /^accès (?:refusé|interdit)/iu,
      /^[^.\n]{0,120}?\bn['’](?:a|ont) (?:pas )?pu\b/iu,
      /^(?:délai|temps) (?:d['’]attente )?(?:dépassé|expiré)/iu,
    ],
    negations: [
      /^(?:l['’]|la |le )?(?:\p{L}+ ){0,3}(?:a|ont) échoué/iu,
      /^[^.\n]{1,120}?\bn['’](?:a|ont) pas été \p{L}+/iu,
      /^(?:\p{L}+ ){1,4}introuvables?\b/iu,
      /^(?:\p{L}+ ){1,4}(?:refusée?s?|rejetée?s?|échouée?s?|impossible)\s?[:.!]/iu,
    ],
  },
  {
    language: 'es',
    stems: ['error', 'fall', 'problema', 'no ', 'deneg', 'rechaz', 'tiempo'],
    openings: [
      /^error (?:al |en |de (?:conexión|autenticación|red|servidor|validación)|interno|inesperado|desconocido)/iu,
      /^(?:ha ocurrido|se (?:ha producido|produjo)|ocurrió|hubo) (?:un|algún) (?:error|problema|fallo)/iu,
      /^(?:fallo|falla|falló)\b\s?(?:[:：!]|al |en |la |el )/iu,
      /^no se (?:ha |han )?(?:pudo|pudieron|podido|puede|pueden)\b/iu,
      /^no (?:fue|es|ha sido) posible\b/iu,
      /^(?:acceso|permiso) denegado/iu,
      /^tiempo de espera/iu,
    ],
    negations: [
      /^(?:\p{L}+ ){1,5}(?:falló|ha fallado)\b/iu,
      /^[^.\n]{0,120}?\bno (?:se )?(?:pudo|pudieron|ha podido|han podido)(?![\p{L}])/iu,
      /^(?:\p{L}+ ){1,4}(?:rechazad[oa]s?|denegad[oa]s?)\s?[:.!]/iu,
      /^[^.\n]{1,120}?\bno (?:fue|fueron|ha sido|se) (?:creó|envió|guardó|cread|enviad|guardad|actualizad|eliminad|procesad)/iu,
    ],
  },
  {
    language: 'pt',
    stems: ['erro', 'problema', 'falh', 'não', 'negad', 'recusad', 'rejeitad'],
    openings: [
      /^erro\b\s?(?:\d{1,5}\s?)?(?:[:：!]|$|\n|ao |na |no |de |interno|inesperado|[-–—] )/iu,
      /^(?:ocorreu|houve|aconteceu) um (?:erro|problema)/iu,
      /^falh(?:a|ou)\b\s?(?:[:：!]|ao |na |no |em )/iu,
      /^não (?:foi|é) possível\b/iu,
      /^não (?:se )?(?:pôde|conseguiu|consegui)\b/iu,
      /^(?:acesso|permissão) negad[oa]/iu,
    ],
    negations: [
      /^(?:\p{L}+ ){1,5}falhou\b/iu,
      /^[^.\n]{0,120}?\bnão (?:pôde|puderam|pode)(?![\p{L}])/iu,
      /^(?:\p{L}+ ){1,4}(?:recusad[oa]s?|negad[oa]s?|rejeitad[oa]s?)\s?[:.!]/iu,
      /^[^.\n]{1,120}?\bnão (?:foi|foram) (?:criad|enviad|salv|atualizad|excluíd|processad|encontrad)/iu,
    ],
  },
  {
    language: 'it',
    stems: ['errore', 'problema', 'impossibile', 'non ', 'negat', 'riuscit', 'fallit', 'rifiutat', 'respint'],
    openings: [
      /^errore\b\s?(?:\d{1,5}\s?)?(?:[:：!]|$|\n|durante |nel|di |interno|imprevisto|[-–—] )/iu,
      /^si è verificato un (?:errore|problema)/iu,
      /^impossibile \p{L}/iu,
      /^non (?:è stato|è|sono) (?:stat[oi] )?possibile\b/iu,
      /^accesso negato/iu,
      /^(?:\p{L}[\p{L}'’]* ){1,5}(?:non riuscit[oaie]|fallit[oaie])\b/iu,
    ],
    negations: [
      /^[^.\n]{0,120}?\bnon (?:può|possono|ha potuto|hanno potuto)(?![\p{L}])/iu,
      /^(?:\p{L}+ ){1,4}(?:rifiutat[oaie]|respint[oaie]|negat[oaie])\s?[:.!]/iu,
      /^[^.\n]{1,120}?\bnon (?:è|sono) stat[oaie] (?:creat|inviat|salvat|aggiornat|eliminat|elaborat|trovat)/iu,
    ],
  },
  {
    language: 'zh',
    stems: [
      '错',
      '錯',
      '异常',
      '異常',
      '失败',
      '失敗',
      '无法',
      '無法',
      '未能',
      '不能',
      '超时',
      '逾時',
      '权限',
      '拒绝',
      '不存在',
      '未找到',
      '发生',
      '發生',
      '出现',
      '出現',
      '遇到',
    ],
    openings: [
      /^(?:[\p{Script=Han}]{0,8})?(?:错误|錯誤|异常|異常)\s?(?:[:：!！]|$|\n|\d|码\s?[:：]?\s?[\w-]*\d)/u,
      /^(?:发生|發生|出现|出現|遇到)(?:了)?(?:[\p{Script=Han}]{0,6})?(?:错误|錯誤|异常|異常)/u,
      /^[\p{Script=Han}\w]{0,12}(?:失败|失敗)(?:了)?\s?(?:[:：!！,，。.]|$|\n)/u,
      /^(?:抱歉|很抱歉|对不起)?[,，]?(?:系统|服务)?(?:无法|無法|未能|不能)\p{Script=Han}/u,
      /^(?:出错|出錯)/u,
      /^(?:请求超时|連線逾時|连接超时|权限不足|没有权限|访问被拒绝)/u,
    ],
    negations: [/^[^。\n]{1,60}(?:不存在|未找到)/u],
  },
  {
    language: 'ja',
    stems: [
      'エラー',
      '例外',
      '失敗',
      'できません',
      '出来ません',
      'タイムアウト',
      '拒否',
      '権限',
      '申し訳',
      '問題',
      '存在',
      '見つかりません',
      'されません',
    ],
    openings: [
      /^(?:[\p{Script=Katakana}\p{Script=Han}ー]{0,12})?(?:エラー|例外)\s?(?:[:：!！]|$|\n|が|コード\s?[:：]?\s?[\w-]*\d|\d)/u,
      /^[^。\n]{0,60}に失敗(?:しました|した|です)?/u,
      /^[^。\n]{0,60}(?:できません|出来ません)(?:でした)?/u,
      /^[^。\n]{0,30}(?:タイムアウト|アクセスが拒否|権限がありません)/u,
      /^(?:申し訳|問題が発生)/u,
    ],
    negations: [/^[^。\n]{1,60}(?:存在しません|見つかりません(?:でした)?|されませんでした)/u],
  },
  {
    language: 'ru',
    stems: ['ошибк', 'не ', 'невозможно', 'запрещ'],
    openings: [
      /^ошибка(?:\s?[:：!]|$|\n| (?:при|в|во|на|доступа|соединения|сервера|подключения|авторизации|чтения|записи|базы|сети)\s| \d{1,5}\s?[:：])/iu,
      /^(?:произошла|возникла) ошибка/iu,
      /^не (?:удалось|получилось|вышло)(?:\s|$)/iu,
      /^невозможно(?:\s|$)/iu,
      /^доступ запрещ/iu,
    ],
    negations: [/^[^.\n]{1,120}?не (?:был|была|было|были) \p{L}+/iu],
  },
  {
    language: 'ko',
    stems: ['오류', '에러', '실패', '수 없', '못했', '못하', '존재하지'],
    openings: [
      /^(?:\p{Script=Hangul}{0,6} ?)?(?:오류|에러)(?:\s?[:：!]|$|\n|가 (?:발생|생겼|났)| \d{1,5}\s?[:：])/u,
      /^[^.\n]{0,60}(?:실패(?:했습니다|하였습니다|함)|할 수 없습니다|지 못했습니다|지 못하였습니다|할 수 없었습니다)/u,
    ],
    negations: [/^[^.\n]{1,60}(?:찾을 수 없습니다|존재하지 않습니다)/u],
  },
  {
    language: 'nl',
    stems: ['fout', 'mis', 'niet'],
    openings: [
      /^fout(?:melding)?\s?(?:[:：!]|bij |$|\n)/iu,
      /^er is (?:een|iets) (?:fout|mis)/iu,
      /^kan (?:\S+ ){0,6}?niet\b/iu,
      /^(?:\p{L}+ ){1,4}(?:is )?mislukt\b/iu,
    ],
    negations: [/^[^.\n]{1,120}?\b(?:is|zijn|werd|kon) niet \p{L}+/iu],
  },
  {
    language: 'pl',
    stems: ['błąd', 'nie ', 'nie', 'odmowa'],
    openings: [
      /^błąd(?:\s?[:：!]|$|\n| (?:podczas|przy|w|serwera|połączenia|wewnętrzny|autoryzacji)\b| \d{1,5}\s?[:：])/iu,
      /^wystąpił (?:\p{L}+ )?błąd/iu,
      /^nie (?:udało się|można|powiodło się)(?:\s|$)/iu,
      /^odmowa dostępu/iu,
    ],
    negations: [/^[^.\n]{1,120}?nie został[aoy]? \p{L}+/iu],
  },
];

/** Marks that stand for "no" in front of a statement. A warning sign is none: much that warns has worked. */
export const CROSS = /^\s*(?:❌|✖️?|✗|✘|❎|⛔️?|🚫|🛑)/u;

/** A word of denial somewhere in a sentence: what a cross alone does not prove, a cross and this do. */
export const DENIAL =
  /\b(?:not?|none|never|cannot|could|unable|fail\w*|error|invalid|missing|denied|declined|refused|rejected|unknown|unavailable|timed out|n['’]t|nicht|keine?|fehl\w*|ungültig|pas|échec|échoué|impossible|erreur|falló|fallo|inválid\w*|não|falhou|erro|non|errore|fallit\w*)(?![\p{L}])|n['’]t\b|失败|失敗|错误|無|无|不|未|エラー|ません|ない|не\s|ошибка|오류|실패/iu;

/** Marks that stand for "yes". */
export const TICK = /^\s*(?:✅|✔️?|☑️?|🟢|👍|🎉)/u;

/** An empty search is a success, in whatever words (outcome reference). */
export const NOTHING_FOUND: readonly RegExp[] = [
  /^(?:sorry,? |unfortunately,? )?(?:i |we )?(?:there (?:are|is|were|was) )?(?:found )?(?:no|zero|0) (?:[\w"'-]+ ){0,4}?(?:results?|match(?:es)?|hits?|items?|entries|records?|documents?|rows?|files?|products?|users?|issues?|messages?|data|tasks?|events?|contacts?|orders?|emails?|pages?|errors?|problems?|warnings?|changes?|libraries|packages|nodes|entities|memories|notes|tickets?|customers?|books?|images?|photos?|commits?|branches|tags|comments?|posts?|articles?|candidates?|suggestions?|content|output|tests?)\b/i,
  /^(?:nothing|none)(?: was| were)? (?:found|matched|to \w+)\b/i,
  /^(?:could not|couldn['’]t|did not|didn['’]t|unable to|cannot|can['’]t) find (?:any|anything|a match|matching|results)/i,
  /^(?:es wurden )?keine? (?:\p{L}+ ){0,3}(?:treffer|ergebnisse?|einträge|datensätze|dokumente|dateien|daten)?\s?(?:gefunden|vorhanden)?/iu,
  /^aucune? (?:\p{L}+ ){0,3}/iu,
  /^no se (?:han |ha )?encontr/iu,
  /^(?:sin|ningún|ninguna) (?:resultado|coincidencia)/iu,
  /^nenhuma? /iu,
  /^não (?:foram|foi) encontrad/iu,
  /^nessuna? /iu,
  /^(?:没有|未|沒有|未能)(?:找到|搜索到|查询到|查到|檢索到)/u,
  /^[^。\n]{0,40}(?:該当|一致|検索結果)[^。\n]{0,40}(?:ありません|見つかりません|なし)/u,
  /^(?:ничего не найдено|нет результатов)/iu,
  /^(?:hiçbir )?(?:sonuç|kayıt|eşleşme) bulunamadı/iu,
  /^(?:tidak ada|tidak ditemukan|không có|không tìm thấy|inga |inget |ingen |brak |nie znaleziono|geen |нічого не знайдено|žádn|لم يتم العثور|لا توجد|결과가 없)/iu,
];

/** Reasons for doing nothing that are no failure. */
export const BENIGN_REASON =
  /unchanged|up[ -]?to[ -]?date|already|exists|identical|duplicate|excluded|ignored|not modified|no changes?|filter|dry[ -]?run|not needed|nothing to|unmodified|the same|hidden|gitignore|unverändert|bereits|schon|inchangé|déjà|sin cambios|ya existe|sem alterações|já existe|invariat|già|已存在|无变化|変更なし|既に/i;

/** `text` without what decorates its start: blanks, quotes, Markdown heading, list and emphasis marks. */
export function undecorated(text: string): string {
  return text
    .slice(0, 2000)
    .replace(/^(?:[\s#>*_`"'“„«|•·-]|\p{Extended_Pictographic}|\uFE0F){1,40}/u, '')
    .slice(0, 400);
}

/** All stems in one: most texts have none, and are done with in one pass. */
const ANY_STEM = new RegExp(
  FAILURE_WORDS.flatMap(({ stems }) => stems)
    .map((stem) => stem.replaceAll('-', '\\-'))
    .join('|'),
);

/** False when no part of `text` can be one in which `failureIn` finds something. One pass. */
export function mayTellFailure(text: string): boolean {
  return ANY_STEM.test(text.toLowerCase());
}

/** Whether a head (see `undecorated`) announces a failure, and how surely. */
export function failureIn(head: string): { readonly language: string; readonly isOpening: boolean } | undefined {
  if (!mayTellFailure(head)) {
    return undefined;
  }
  const lower = head.toLowerCase();
  const likely = FAILURE_WORDS.filter(({ stems }) => stems.some((stem) => lower.includes(stem)));
  for (const words of likely) {
    if (words.openings.some((pattern) => pattern.test(head))) {
      return { language: words.language, isOpening: true };
    }
  }
  for (const words of likely) {
    if (words.negations.some((pattern) => pattern.test(head))) {
      return { language: words.language, isOpening: false };
    }
  }
  return undefined;
}
