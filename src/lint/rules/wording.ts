import { HOLE } from '../model.ts';

/**
 * What the words of an answer say. All patterns are anchored or bounded, none can backtrack without end. Texts come with
 * `HOLE` for what is not constant. English first; enough of other languages to know an error's usual openings.
 */

/** Markup, brackets and pictures that stand before the first word. */
const DECORATION = /^(?:[\s#*_>`~\-–—=|"'«[({.:,!\u{2190}-\u{2bff}\u{1f000}-\u{1faff}]|\u{fe0f}|\u{200d})+/u;
const ERROR_SIGN =
  /^[\s#*_>`"'[({]*(?:\u{274c}|\u{2716}|\u{2717}|\u{2718}|\u{1f6ab}|\u{26d4}|\u{1f6d1}|\u{203c}|\u{1f4a5})/u;
/** Done, or said for information only. */
const SUCCESS_SIGN = /^[\s#*_>`"'[({]*(?:\u{2139}|\u{2705}|\u{2713}|\u{2714}|\u{1f389}|\u{1f44d}|\u{2728})/u;

/** The text from its first word on, in lower case: patterns that ignore case are slow. */
function openingOf(text: string): string {
  return text.slice(0, 240).replace(DECORATION, '').toLowerCase();
}

const LEADING_ERROR =
  /^(?:(?:an?|the|un|une|ein|eine|um|uma) )?(?:(?:unexpected|internal|unknown|fatal|critical|api|http|network|server|database|db|sql|validation|connection|authentication|auth|permission|request|runtime|timeout|parse|parsing|syntax|tool|system|configuration|config|input|query|file|json|type|value|key|os|io|client|security|access) ){0,2}(?:error|exception|failure|erreur|fehler|erro|errore|fout|fel|błąd|ошибка|错误|錯誤|エラー|오류)(?![\p{L}_])/u;
/** A heading or a label: "# Fetch Error", "Fetch error: …". */
const TITLED_ERROR =
  /^(?!(?:top|mean|standard|average|relative|each|any|every|first|no|zero|without|on|if|per) )[\p{L}_-]+ (?:[\p{L}_-]+ )?(?<!\b(?:with|of|for|without|in|by|an?) )(?:error|failure|exception)(?:\(s\))?\**(?::|\s{2}|\s*\n| [-\u{2013}\u{2014}] )/u;
/** A line of its own: "# Nightly Scan of Host Error". */
const HEADED_ERROR = /^(?!(?:no|zero|without|last|latest) )(?:[\p{L}_-]+ ){1,5}(?:error|failure)\**\s*\n/u;
/** "Error log", "errors found": about errors, not one. */
const ABOUT_ERRORS =
  /^(?:last|latest|previous|recent|common|total) (?:[\p{L}_-]+ )?(?:error|failure|exception)s?\b|^\S*(?:errors\b|(?:error|failure|exception)[ _-](?:fields?|columns?|bars?|margins?|budgets?|logs?|rates?|counts?|summary|reports?|codes? (?:list|table)|history|analysis|handling|types?|messages? (?:list|table)|details for|statistics|stats|distribution|patterns?|entries)(?!\p{L}))/u;
const LEADING_VERB =
  /^(?:\w+(?:error|exception)\b|[\p{L}\p{N}_]+ (?:error|exception)$|fail(?:ed|ure)?\]|failed (?:to|while|when|with|at|during|because|on)\b|fail(?:ed)?[:!.,]|failed$|failure\b|unable to\b|could ?n[o']t\b|could not\b|can ?not\b|can['’]t\b|cannot\b|did not (?:receive|find|return|respond|succeed|complete|work|match|start|load|get|respond)\b|was not able\b|not able to\b|no such\b|permission denied|access denied|accesso negato|acceso denegado|acesso negado|accès refusé|zugriff verweigert|unauthori[sz]ed\b|forbidden\b|not authori[sz]ed|not authenticated|authentication (?:failed|required)|timed out|timeout\b|traceback|oops|sorry|something went wrong|an? (?:\w+ )?(?:error|exception|problem|issue) (?:occurred|happened|has occurred|was)|rate[- ]limit(?:ed\b| (?:was |has been )?(?:exceeded|reached|hit|error)|[.!:;(]|$)|too many requests|http (?:error )?[45]\d\d|status (?:code )?[45]\d\d|échec|impossible d|impossibile|nicht möglich|konnte nicht|no se pud|no se ha podid|não foi possível|falha ao|fallo al|nie można|не удалось|невозможно|失败|無法|无法|失敗|実패|실패)/u;
/** "Operation timed out", "Request failed with 404", "Code review failed: …". */
const SUBJECT_FAILED =
  /^(?:[\p{L}\p{N}_'’\u{fffc}-]+ ){1,5}(?:(?:has |have |had |was |is )?(?:failed|timed out|refused|rejected|denied|crashed|aborted|broke|errored|expired)|could not\b|couldn['’]t\b|cannot\b|can['’]t\b|failure\b|error:|error (?:for|in|from|while|when|during|at|on|occurred)\b)/u;
const LEADING_REFUSAL =
  /^(?:invalid|unknown|unsupported|missing|unrecogni[sz]ed|illegal|malformed|bad request|unexpected|not found|not supported|not implemented|not connected|not configured|not initiali[sz]ed|unavailable|required|must (?:provide|specify|supply|be|have)|please (?:provide|specify|set|supply|configure|enter|log ?in|authenticate|connect|install)|you (?:must|need to|have to)|you (?:are|do) not|insufficient|duplicate)\b/;

const REFUSAL =
  /(?:\bnot (?:currently |yet )?(?:be )?(?:found|exist|available|supported|allowed|permitted|connected|configured|initiali[sz]ed|enabled|installed|running|loaded|open|valid|set|implemented|authori[sz]ed|authenticated|recogni[sz]ed|accessible|provided|specified|a valid|a file|a directory|an? \w+ file|ready|match|possible|defined|registered|contain|have|exceed|in the|unique|active)\b|\bno longer\b|n['’]t (?:exist|find|have|found|available|supported|be)\b|\bno such\b|\bunavailable\b|\bunsupported\b|\b(?:is|are|was|were) (?:not|required|missing|invalid|empty|unknown|closed|offline|disabled|read-?only|unavailable|locked|too|down|busy|null|undefined)\b|\b(?:required|mandatory) (?:parameter|argument|field|input|value|when|for|if|to|in)s?\b|\brequires?\b|\bmissing\b|\binvalid\b|\bmust (?:be|have|not|contain|provide|specify|start|include|match|end)\b|\bcan ?not\b|\bcan['’]t\b|\bcould ?n[o'’]t\b|\bcould not\b|\bunable\b|\bfailed\b|\bfailure\b|\bout of (?:range|bounds|memory|stock)\b|\bdivision by zero\b|\bnot (?:be )?(?:\w+ )?successful|\bunsuccessful|\bexited with (?:code|status|error)\b|\bexceed(?:s|ed)\b|\bdenied\b|\bforbidden\b|\bunauthori[sz]ed\b|\btimed out\b|\btimeout\b|\balready (?:exists?|in use|taken|registered)\b|\bunrecogni[sz]ed\b|\bplease (?:provide|specify|set|configure|install|log ?in|authenticate|enter|supply|use|run|start|connect|open|call)\b|\bneeds? to be\b|\bshould be\b|\ban? (?:\w+ )?error (?:occurred|has)\b|\berror (?:occurred|while|when|code)\b|\berror: |\bcannot\b|\bexpected\b|\bnot\b.{0,40}\bfirst\b|\bdisabled\b.{0,40}\b(?:to enable|enable it|set|configure)\b|não (?:foi )?(?:encontrad|configurad|existe|possível|autorizad|conectad|informad)|no (?:se )?(?:encontr|existe|configurad|válid|puede|pudo|autorizad|conectad)|inválid|obligatori|obrigatóri|introuvable|invalide|n['’]existe pas|requis|obligatoire|nicht (?:gefunden|vorhanden|verfügbar|möglich|konfiguriert|unterstützt|verbunden|gültig)|ungültig|fehlt|erforderlich|не найден|не существует|недоступ|неверн|не указан|обязател|не настроен|不存在|未找到|找不到|不支持|无效|不能为空|未配置|未连接|缺少|失败|必须|无法|錯誤|错误|見つかりません|存在しません|無効|必須|できません|찾을 수 없|존재하지 않|유효하지 않|필요합니다|지원하지 않)/u;

/** "No styling options were provided", "No project currently open": what the call needs is not there. First sentence only. */
const INPUT_MISSING =
  /^(?:no|neither|none of) (?:(?!the |your |match|found|any )[^.!?\n]){1,80}?\b(?:provided|specified|given|supplied|passed|configured|selected|supported|connected|loaded|initiali[sz]ed|logged in|(?:currently|is|are|was) (?:open|opened|active|set|available|running))\b|^no (?:(?:active|current|open) )?(?:project|document|session|database|connection|file|page|browser|workspace|repository|credentials?|api key|token|access token|timeline|composition|tab|sheet|workbook|window)(?: (?:is |was )?(?:currently |yet )?(?:open|opened|active|loaded|connected|selected|set|configured|available|running|found|detected))?(?:[.!;:,]|$)|^no (?:[\w-]+ ){1,2}(?:project|document|session|database|connection|file|page|browser|workspace|window)(?: (?:is |was )?(?:currently )?(?:open|opened|active|loaded|connected|selected|available|running))(?:[.!;:,]|$)/;
const EMPTY =
  /^(?:no|nothing|none|0|zero|(?:sorry,? )?(?:i|we) (?:could|did)(?: not|n['’]t) find any|there (?:are|is|were|was) no|there (?:are|is)n['’]t|(?:could|did) ?n[o'’]t find any|(?:could|did) not find any|(?:unable|failed) to find any|empty|nenhum|nenhuma|não há|no hay|ningun|ningún|sin resultados|aucun|aucune|pas de|keine?r?|es gibt keine|нет |ничего|не найдено|当前没有|没有|沒有|暂无|暫無|無|ありません|該当|없습니다|결과가 없)(?![\p{L}])|^(?:没有找到|沒有找到|未找到(?:符合|匹配|相关|任何)|找不到(?:符合|匹配|相關|任何))/u;
/** "You don't have any playlists", "the folder is empty". */
const HAS_NONE =
  /\b(?:do|does|did|has|have) ?n[o'’]t (?:currently |yet )?(?:have|contain|include|return|find) any\b|\b(?:has|have|had|contains?) no \w+|\b(?:folder|directory|\w*list|queue|portfolio|basket|clipboard|workspace|catalogu?e?|index|cache|archive|bucket|cart|inbox|database|table|file|memory|history|collection|document|sheet|folders?|library|log|graph|page|note|channel|board|project|it|this|and|but) (?:is|are|was|were|appears?) (?:currently )?empty(?:[.!]?$| or\b| \()|^your (?:\w+ ){1,3}(?:is|are) (?:currently )?empty\b|\byielded no\b|\breturned no\b/;
/** What does not exist was named by the call; what was not found may have been searched for. */
const NOT_FOUND =
  /\b(?:not found|n['’]t find|n['’]t found|no matching|could not find)\b|não (?:foi )?encontrad|no (?:se )?encontr|introuvable|nicht gefunden|не найден|未找到|找不到|見つかりません|찾을 수 없/u;
/** "No matching city found", "No item found with key X": one thing was named and is not there. */
const NAMED_ONE =
  /^no (?:matching |existing |such |valid |suitable )*([\p{L}_-]+)(?: ["'`]?\u{fffc}["'`]?)?(?: (?:was |were |is )?(?:found|exists?|available|matches|matching|named|called|with (?:the )?(?:id|key|name|uid|uuid|slug|index|number)|for (?:id|key|name))\b)/u;
const MASS_NOUN =
  /^(?:news|media|data|content|contents|information|info|result|output|match|matching|history|text|anything|documentation|activity|change|more|new|active|recent|further|weather|feedback|evidence|additional|other|relevant|usage|metadata|record|entry|response)$|[^s]s$/;

const BENIGN =
  /^(?:dry[- ]?run|preview\b|cancel+ed|skipped|declined|aborted by|nothing (?:to|was)|no changes?\b|no \w+ changes?\b|no (?:updates?|action|modifications?|fields?|op)\b.{0,30}(?:needed|required|necessary|made|specified to)?|already (?:up|connected|running|exists|set|on|at|in)|up to date|done\b|ok\b|okay\b|success|completed?\b|warning:? this|note:|info:|usage:|help\b|(?:\S+ ){0,4}(?:was |has been |been )?(?:cancel+ed|declined|skipped)\b|.{0,60}\b(?:cancel+ed|declined|rejected|denied|aborted|stopped) by (?:the )?user|.{0,40}\bunchanged\b|이미 |すでに|既に|已经|已經)/;
/** Done in spite of the rest, done before, or done in part. */
const DONE =
  /^(?:(?!not |n't|fail|error)[^.!?\n]){0,100}\bsuccessfully\b|\b(?:is|are|was|were) already (?!exist|in use|taken|registered)|\balready (?:been )?(?:ingested|processed|indexed|imported|stored|recorded|queued)\b|\bpartial(?:ly)?\b|\busing (?:the )?(?:built-in )?defaults?\b|\bnothing to (?:do|index|update|change|sync|clean|delete|remove|export|import|process|commit)\b/;
/** "Task X started with 4 steps": what was done, in words that something is amiss cannot have. */
const SUBJECT_DID =
  /^(?:(?!(?:not|no|be|being|been|cannot|never|must|should|could|can|unable|failed|without|if|when|until|before|unless|only|or)\b|\S+n['’]t\b)[^\s.!?:;]+ ){1,6}(?:started|initiated|created|updated|deleted|added|removed|saved|sent|completed|scheduled|queued|renamed|moved|copied|cleared|submitted|triggered|generated|installed|restarted|resumed|exported|imported)(?:[.!:,;]|\s|$)/u;
/** "Disconnected. …": what was done is said first. */
const DID =
  /^(?!(?:un|fail|deni|reject|refus|abort|block|exceed|expir|requir|crash|error|malform|disabl|timed|terminat|limit|interrupt))[a-z]{3,}ed[.!](?:\s|$)/;
const INPUT =
  /^(?:unknown|unsupported|unrecogni[sz]ed) (?:tool|method|action|operation|command|subcommand|function)\b|\b(?:is|are) (?:required|mandatory)\b|\bmust (?:not )?be\b|\bmust (?:contain|provide|specify|start|include|match|end)\b|\b(?:required|invalid|missing) (?:parameter|argument|field|input|value|format)s?\b|\b(?:can ?not|should not|may not) be empty\b|\bplease (?:provide|specify|supply|enter)\b|必须|必須|不能为空|不能為空|필수/u;
/** "guild_id required": a sentence of its own. */
const NEEDED =
  /^(?!(?:no|not|none|nothing|confirmation|approval|action|attention|payment)\b)(?:[\p{L}\p{N}_.'"`\u{fffc}/-]+,? ){1,6}required(?:[.!:;(]|$)/u;
/** A tool that asks before it acts. */
const CONFIRM =
  /\bdry[-_ ]?run\b|\bconfirm(?:ed|ation)?['"`]?\s*[=:]\s*(?:true|"?yes)|\b(?:re-?run|call (?:this |it |the tool )?again|retry) with [\w"'`]*confirm|\bexplicit confirmation\b|\bnot confirmed\b/;
const SUCCESS =
  /^(?:success(?:fully)?|done|ok|okay|completed?|created|updated|deleted|removed|added|saved|sent|started|stopped|set|found \d|found \u{fffc}|retrieved|here (?:is|are)|loaded|applied|connected|wrote|written)(?![\p{L}])/u;

export type Wording =
  /** Opens as errors do. */
  | 'error'
  /** Refuses the call's arguments, which no tool's data is about. */
  | 'input'
  /** Refuses or misses something, in words that a success can contain too. */
  | 'refusal'
  /** "No results": a success without content. */
  | 'empty'
  /** The same under a sign of failure. */
  | 'marked'
  /** "X not found": an error of a lookup, the empty result of a search. */
  | 'notFound'
  /** A success, a no-op, a dry run, or a text about errors. */
  | 'benign'
  | 'none';

/** The same sentences are judged again at every keystroke. */
const known = new Map<string, Wording>();
const MAX_KNOWN = 2000;

/** What a text's words say, judged by its opening. */
export function wordingOf(text: string): Wording {
  const before = known.get(text);
  if (before !== undefined) {
    return before;
  }
  if (known.size >= MAX_KNOWN) {
    known.clear();
  }
  const wording = judgeWords(text);
  known.set(text, wording);
  return wording;
}

function judgeWords(text: string): Wording {
  const opening = openingOf(text);
  if (SUCCESS_SIGN.test(text)) {
    return 'benign';
  }
  if (!/\p{L}/u.test(opening.replaceAll(HOLE, ''))) {
    return ERROR_SIGN.test(text) ? 'error' : 'none';
  }
  if (ABOUT_ERRORS.test(opening)) {
    return 'benign';
  }
  if (LEADING_ERROR.test(opening) || TITLED_ERROR.test(opening) || HEADED_ERROR.test(opening)) {
    return 'error';
  }
  const empty = /^(?:no|none|neither)\b/.test(opening)
    ? wordingOfNone(opening)
    : EMPTY.test(opening)
      ? 'empty'
      : undefined;
  if (empty !== undefined) {
    return empty === 'empty' && ERROR_SIGN.test(text) ? 'marked' : empty;
  }
  if (BENIGN.test(opening) || SUCCESS.test(opening)) {
    return 'benign';
  }
  if (ERROR_SIGN.test(text) || LEADING_VERB.test(opening) || SUBJECT_FAILED.test(opening)) {
    return 'error';
  }
  // Only the first sentences count: later ones explain, list, or quote.
  const head = opening.slice(0, 140);
  const [first = head, second = ''] = head.split(/[.!?:](?:\s|$)/, 2);
  // "Database: Books\n\nThis database is empty": what comes first is a label.
  if (HAS_NONE.test(first) || (HAS_NONE.test(second) && !LEADING_REFUSAL.test(first) && !REFUSAL.test(first))) {
    return 'empty';
  }
  if (CONFIRM.test(opening)) {
    return 'benign';
  }
  if (DONE.test(head) || opening.startsWith(`${HOLE}  `)) {
    return 'benign';
  }
  if (DID.test(head) || SUBJECT_DID.test(head)) {
    return 'none';
  }
  if (NOT_FOUND.test(head)) {
    return 'notFound';
  }
  if (INPUT.test(head) || NEEDED.test(head)) {
    return 'input';
  }
  return LEADING_REFUSAL.test(opening) || REFUSAL.test(head) ? 'refusal' : 'none';
}

/** "No instances are running": a state that was asked about, where one is named: "no project is open". */
const NONE_OF_MANY =
  /^no (?:[\p{L}_-]+ ){1,4}(?:are|were) (?:currently |yet )?(?:running|available|active|open|opened|loaded|connected)\b/u;

/** Spanish has one word for "no" and "not": "no se pudo abrir" is no list of none, as "no se encontraron libros" is. */
const NOT_IN_SPANISH = /^no (?:(?:se )?(?:pud|pued|ha podid|han podid)|(?:fue|es|ha sido) posible)/;
const REFUSED_IN_SPANISH = /^no (?:existe|est[áa]s? |tienes? (?:permiso|acceso)|se ha (?:config|especific|proporcion))/;
const NOT_FOUND_IN_SPANISH = /^no se (?:encontró|encuentra|ha encontrado)(?![\p{L}])/u;

function wordingOfNone(opening: string): Wording {
  if (NOT_IN_SPANISH.test(opening)) {
    return 'error';
  }
  if (REFUSED_IN_SPANISH.test(opening)) {
    return 'refusal';
  }
  if (NOT_FOUND_IN_SPANISH.test(opening)) {
    return 'notFound';
  }
  if (NONE_OF_MANY.test(opening)) {
    return 'empty';
  }
  if (/^no progress token\b|\busing (?:the )?(?:built-in )?defaults?\b/.test(opening)) {
    return 'benign';
  }
  if (INPUT_MISSING.test(opening)) {
    return 'input';
  }
  const named = NAMED_ONE.exec(opening)?.[1];
  if (named !== undefined && !MASS_NOUN.test(named)) {
    return 'notFound';
  }
  return /^no such\b/.test(opening) ? 'error' : BENIGN.test(opening) ? 'benign' : 'empty';
}

/** Tools that answer with what matched: nothing is a valid answer. */
const LISTS =
  /(?:^|[_\-.: ])(?:list|search|find|query|lookup|browse|scan|grep|filter|recent|get_all|get_many|fetch_all|discover|explore|match)|(?:list|search|find|query)(?=[A-Z_-]|$)|[a-z](?:List|Search|Find|Query)(?=[A-Z_]|$)/;
const SEARCHES =
  /(?:^|[_\-.: ])(?:search|find|query|grep|filter|discover|explore|match)|(?:search|find|query)(?=[A-Z_-]|$)|[a-z](?:Search|Find|Query)(?=[A-Z_]|$)/;
/** Tools whose answer is a state or a list of problems. */
const REPORTS =
  /(?:^|[_\-.: ])(?:logs?|lint|validat\w*|verify|check(?!list|out|point|box)\w*|status|health\w*|jobs?|diagnos\w*|test|tests|audit|errors?|problems?|debug|ping|inspect|monitor|state|is|has|can)(?:$|[_\-.: A-Z])|(?:Logs?|Status|Health|Errors?|Job|Diagnostics?|Validation)(?:$|[A-Z_])|^(?:validate|check|verify|lint|diagnose|test)(?:$|[A-Z_-])/;
/** Tools that change something: `record_test_run` fails by itself, whatever it records. */
const CHANGES =
  /(?:^|[_\-.: ])(?:create|add|update|delete|remove|record|set|upload|save|write|insert|edit|rename|move|send|post|submit|assign)(?:$|[_\-.: A-Z])/;

/** Tools that are asked how things stand: "not connected" is their answer. */
const STATES =
  /^(?!set|update|change|edit)(?:\S*[_\-.: ])?(?:status|state|who_?am_?i|where_?am_?i)$|^(?!set|update|change|edit)\S*[a-z](?:Status|State)$/;
/** "Not authenticated", "No session is open", "Session expired": how things stand. */
const STANDS =
  /^(?:not|no)\b|^(?:[\p{L}\p{N}_-]+ ){1,4}(?:(?:is|are|was|has) )?(?:currently |yet )?(?:not\b|expired|offline|down\b|disconnected|unavailable|stopped|inactive|disabled)/u;

/** Tools that look for what is wrong. */
const CHECKS =
  /(?:^|[_\-.: ])(?:validat\w*|verify|check(?!list|out|point|box)\w*|lint\w*|tests?|audit)(?:$|[_\-.: A-Z])|^(?:validate|check|verify|lint|test)(?=[A-Z])/;
/** "Type checking failed", "Syntax errors found": what a tool that checks has found out. */
const VERDICT =
  /^(?:[\p{L}_-]+ ){0,3}(?:errors?|issues?|problems?|violations?) (?:were )?(?:found|detected)\b|^(?:[\p{L}_-]+ ){0,2}(?:validation|verification|checks?|checking|lint|linting|tests?|audit) (?:has |have )?failed[.!:\n]?(?:\s|$)/u;

/**
 * Whether a text is what a tool of that name is asked for, and no failure to find it out: how things stand, or what is wrong
 * with what it has checked.
 */
export function isAskedFor(text: string, tool: string | undefined): boolean {
  if (tool === undefined) {
    return false;
  }
  const opening = openingOf(text);
  const isState = STATES.test(tool) && !ERROR_SIGN.test(text) && STANDS.test(opening);
  return isState || (CHECKS.test(tool) && VERDICT.test(opening));
}

export interface ToolNature {
  readonly isList: boolean;
  readonly isSearch: boolean;
  readonly isReport: boolean;
}

/** What a tool does, told by its name (lint.md, "Confidence"). */
export function natureOf(name: string | undefined): ToolNature {
  const text = name ?? '';
  return {
    isList: LISTS.test(text),
    isSearch: SEARCHES.test(text),
    isReport: REPORTS.test(text) && (isErrorName(text) || !CHANGES.test(text)),
  };
}

const ERROR_WORD =
  /(?:^|_)(?:errs?|errors?|errmsg|exc|exceptions?|failures?|fail|failed|problems?|missing|invalid|denied|refusal|rejection|reject)(?:$|_)/;
const ERROR_CAMEL = /(?:^err|^error|^fail|^failure|[a-z0-9](?:Err|Error|Failure|Fail|Exception|Problem))(?:$|[A-Z_])/;
const ERROR_CONSTANT =
  /^_*(?:NO|NOT|ERR|ERROR|MISSING|INVALID|FAIL|FAILED|UNKNOWN|BAD|UNAUTHORI[SZ]ED)(?:_[A-Z0-9_]+)?$/;

/** Names that say "error": of variables, helpers and constants. */
export function isErrorName(name: string | undefined): boolean {
  return (
    name !== undefined && (ERROR_WORD.test(name.toLowerCase()) || ERROR_CAMEL.test(name) || ERROR_CONSTANT.test(name))
  );
}
