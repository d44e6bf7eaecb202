import type { RetryClass } from '../../protocol/outcome.ts';

/**
 * What kind of cause a failure text names.
 * `arguments`: the call was refused for what it asked; `unknown-name`: for whom it asked; `output`: the handler ran and
 * its own result was refused; `program`: a program that the tool ran failed by itself; `transient`: waiting may help;
 * `fixable`: something nameable must change first; `unnamed`: the text names no cause.
 */
export type CauseKind = 'arguments' | 'unknown-name' | 'output' | 'program' | 'transient' | 'fixable' | 'unnamed';

/** Longest stretch of a text that is searched for a cause: its beginning and its end, where tracebacks name it. */
const HEAD = 2000;
const TAIL = 600;

const OUTPUT =
  /output validation error|invalid structured content|has an output schema but|invalid (?:tools\/call|tool) result|does not match the tool'?s output schema|handler must return/i;

const ARGUMENTS =
  /input validation error|invalid arguments? |invalid arguments?[:.]|parameter validation failed|validating "?arguments|invalid[ _]params?\b|no arguments? (?:were |was )?(?:provided|given)|failed to deserialize parameters|\binvalid_type\b|\binvalid_(?:enum_)?value\b|\bunrecognized_keys\b|"?zoderror|expected \w+, received|validation errors? for |missing required (?:argument|parameter|propert|field)|requires? (?:at least )?(?:argument|parameter|property|task augmentation)|must have required property|argument must be|is required\b/i;

const UNKNOWN_NAME =
  /\bunknown (?:tool|prompt|method|resource|task|function)\b|\b(?:tool|prompt|method|resource|task|function)\b[^\n]{0,200}?\b(?:not found|does not exist|is not available|not registered|is unknown|not supported)|no such (?:tool|prompt|method|resource|task)/i;

const PROGRAM =
  /\bcommand failed\b|\bcommand .{0,80}(?:exited|returned non-zero)|\b(?:process|program|script) (?:exited|failed|terminated) with|exit(?:ed)?(?: with)?(?: status| code) [1-9]|non-zero exit/i;

/** Of a program's own failure, only a thing that was not there or not permitted can be mended by the caller. */
const PROGRAM_FIXABLE =
  /no such file or directory|command not found|: not found|permission denied|\bENOENT\b|\bEACCES\b|cannot find module|no module named|not recognized as an internal/i;

const TRANSIENT =
  /fetch failed|timed[ -]?out|time ?out (?:after|of|while|waiting|exceeded|reached|expired)|timeout(?:error)?\b(?=\s*(?:[:.!)]|$|exceeded|of \d|after|while|waiting|error))|(?:gateway|connect|read|request|connection|operation|socket|lock|query) time-?out|deadline exceeded|time (?:budget|limit) (?:\w+ ){0,2}(?:up|exceeded|reached)|ECONNRESET|ECONNREFUSED|ECONNABORTED|ETIMEDOUT|EAI_AGAIN|ENOTFOUND|EPIPE|EHOSTUNREACH|ENETUNREACH|UND_ERR_|net::ERR_|socket hang up|connection (?:was |has been )?(?:reset|refused|closed|lost|aborted|dropped|error)|closed the connection|(?:reset|refused|dropped) (?:the |by )?(?:connection|peer)|could not connect|(?:un|not )able to connect|failed to connect|cannot connect|can't connect|network (?:error|is unreachable|failure|request failed)|name or service not known|temporary failure|temporar(?:y|ily)|try again|retry (?:later|after|in)|please retry|come back|rate[ -]?limit|too many requests|throttl|service unavailable|server unavailable|is unavailable|currently unavailable|overloaded|server (?:is )?busy|resource busy|\bEBUSY\b|\bEAGAIN\b|deadlock|lock wait|database is locked|bad gateway|gateway (?:error|time-?out|trouble)|upstream (?:\w+ ){0,4}(?:gave no answer|did not (?:answer|respond)|unavailable|timed out|failed)|no answer from|no response from|did not respond|not responding|(?:status|http|code|error|\berrno)[ :=/\d.]{0,12}\b(?:408|425|429|50[0234]|52\d)\b|^\s*(?:429|50[0234])\b|\b(?:429|50[0234]) (?:internal|bad|service|gateway|too many|server)|internal server error|[:(]\s*(?:429|50[0234])\)?\s*(?:$|[\n.,;-])|zeitüberschreitung|nicht erreichbar|vorübergehend|später erneut|verbindung (?:wurde )?(?:abgelehnt|unterbrochen|verloren|fehlgeschlagen)|délai (?:d'attente )?(?:dépassé|expiré)|temporairement|réessa|connexion (?:refusée|perdue|interrompue)|tiempo de espera|temporalmente|int[eé]ntelo (?:de nuevo|más tarde)|conexión (?:rechazada|perdida)|tempo (?:limite|esgotado)|temporariamente|tente novamente|conexão (?:recusada|perdida)|tempo scaduto|temporaneamente|riprova|connessione (?:rifiutata|persa)|超时|稍后|重试|连接(?:失败|被拒绝|中断|已关闭)|网络(?:错误|异常)|不可用|タイムアウト|再試行|しばらく|接続(?:に失敗|が拒否|が切断|エラー)|通信エラー/im;

const FIXABLE =
  /not found|no such|does ?n[o']t exist|do(?:es)? not exist|non-?existent|there is no\b|\bno \w+ (?:with|named|called|matching)|no longer exists|could not find|cannot find|can't find|unable to (?:find|locate|resolve)|\bENOENT\b|\bEACCES\b|\bEPERM\b|\bEISDIR\b|\bENOTDIR\b|\bEEXIST\b|\bENOSPC\b|\bEROFS\b|\bEINVAL\b|not permitted|permission|denied|not allowed|disallowed|forbidden|unauthori[sz]ed|unauthenticated|not authori[sz]ed|not in (?:the )?allow|outside (?:of )?(?:the )?allowed|only \S+ (?:\w+ )?(?:are|is) (?:allowed|supported|accepted)|authentication|credential|api[ _-]?key|\btoken\b|log ?in\b|sign in|expired|invalid|illegal|malformed|missing|required|must (?:be|not|have|contain|start|end|match)|should be|cannot be|can't be|can not be|may not|needs? (?:a|an|to)\b|\bexpected\b|unsupported|not supported|unrecogni[sz]ed|unknown\b(?! error)|not valid\b|not a (?:valid|git|directory|file|number|string)|is a directory|bad (?:\w+ )?(?:input|request|argument|parameter|value|format|cursor)|already (?:exists|in use|taken)|duplicate|conflict|quota|limit (?:is |was )?(?:exceeded|reached)|exceeds?|too (?:large|long|big|many|small|short|few)|out of (?:range|bounds|stock|credits?)|insufficient|not enough|used up|not installed|not configured|not initiali[sz]ed|\b(?:is|was|are|variable|key|token|value) not set\b|undefined variable|not defined|syntax error|parse error|unexpected (?:token|character|end)|password protected|read-?only|locked by|is (?:locked|protected)|protected branch|sold[_ ]out|\bno \w+ (?:left|available|remaining)|has no\b|is (?:negative|empty|blank|archived|closed|disabled|unreadable|corrupt)|unreadable|corrupt|violat|constraint|\b(?:Key|Index|Name|Attribute|Value|Type|Import|ModuleNotFound|FileNotFound|Permission|NotImplemented|Syntax)Error: (?!.*(?:cannot read propert|is not a function))|(?:status|http|code|error)[ :=/\d.]{0,12}\b4(?:0[0-79]|1\d|2[0-46-8])\b|\b4(?:0[0-79]|1[0-7]|22) (?:bad|un|for|not|method|conf|gone|pre|pay|length|uri)|[:(]\s*4(?:0[0-7]|09|1[0-8]|22)\)?\s*(?:$|[\n.,;-])|nicht gefunden|existiert bereits|nicht genug|existiert nicht|nicht vorhanden|ungültig|fehlt|fehlend|verweigert|nicht erlaubt|erforderlich|abgelehnt|unbekannt|pflichtfeld|introuvable|existe déjà|insuffisant|n'existe pas|invalide|manquant|refusé|obligatoire|requis|inconnu|no encontrad|ya existe|insuficiente|no hay |já existe|esiste già|insufficient|no existe|inv[aá]lid|falta|denegad|obligatori|desconocid|não encontrad|não existe|ausente|negad|obrigat|desconhecid|non trovat|non esiste|non valid|mancant|negat|obbligatori|sconosciut|不存在|未找到|找不到|无效|無效|缺少|必填|必须|权限|拒绝|已存在|已经存在|不足|非法|不正确|格式错误|見つかりません|存在しません|無効|不正|必須|権限|足りません|拒否|既に存在|すでに存在/i;

/** Reads off a failure text what kind of cause it names. The first kind that matches, in the order of the type. */
export function causeOf(text: string): CauseKind {
  const words = text.length <= HEAD + TAIL ? text : `${text.slice(0, HEAD)}\n${text.slice(-TAIL)}`;
  if (OUTPUT.test(words)) {
    return 'output';
  }
  if (ARGUMENTS.test(words)) {
    return 'arguments';
  }
  if (PROGRAM.test(words)) {
    return PROGRAM_FIXABLE.test(words) ? 'fixable' : 'program';
  }
  if (UNKNOWN_NAME.test(words)) {
    return 'unknown-name';
  }
  if (TRANSIENT.test(words)) {
    return 'transient';
  }
  return FIXABLE.test(words) ? 'fixable' : 'unnamed';
}

/**
 * Retry class of a failure that the tool itself reported: it ran, so nothing is proven not executed, and a text that
 * names no cause gives no reason to try again (outcome reference, "What may be retried").
 */
export function retryOfToolFailure(text: string): RetryClass {
  switch (causeOf(text)) {
    case 'arguments':
    case 'unknown-name':
    case 'fixable':
      return 'after_fix';
    case 'transient':
      return 'only_if_idempotent';
    case 'output':
    case 'program':
    case 'unnamed':
      return 'never';
  }
}
