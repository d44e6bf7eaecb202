import { wordsOf } from '../../base/words.ts';
import type { JudgedRequest } from '../../protocol/call.ts';
import { BoundedMap } from './boundedMap.ts';
import { getString } from './json.ts';

/**
 * What a tool is for, read off its name, as far as it changes how its words are to be taken (outcome reference, "Weigh
 * against"). A tool can be several at once; one that is none of them acts, and its words are about its own act.
 */
export interface ToolNature {
  /** Its job is to report errors or a negative finding: logs, lint, tests, validation, health. */
  readonly reports: boolean;
  /** It hands out text that others wrote: files, pages, messages, search hits. */
  readonly carriesContent: boolean;
  /** It makes text: translates, explains, echoes, generates. */
  readonly makesText: boolean;
  /** It runs a program and hands out what that printed. */
  readonly executes: boolean;
  /** It reads the state of something rather than acting: `get_job`, `list_builds`. */
  readonly reads: boolean;
  /** It looks for something that may well not be there. */
  readonly searches: boolean;
  /** Pages and templates are what it is about, whether it reads or makes them. */
  readonly handlesPages: boolean;
  /** It hands out answers of other servers as they came: HTTP bodies, pages. */
  readonly relays: boolean;
}

const ACTING: ToolNature = {
  reports: false,
  carriesContent: false,
  makesText: false,
  executes: false,
  reads: false,
  searches: false,
  relays: false,
  handlesPages: false,
};

const REPORTS = set(`log logs logging lint linter linting test tests testing validate validates validation validator
  verify verifies verification check checks checker health healthcheck healthz diagnose diagnosis diagnostic diagnostics
  error errors exception exceptions issue issues incident incidents alert alerts audit audits inspect inspection monitor
  trace traces stacktrace backtrace typecheck review coverage ping probe sentry crash crashes failure failures doctor
  assert assertion compare diff console stderr warnings problem problems violations compliance scan debug prüfen prüfe
  protokoll protokolle fehler journal journaux vérifier verifier erreurs erreur registro registros errores validar
  verificar comprobar testar erros errori verifica verificare controlla 日志 检查 验证 校验 测试 ログ 検証 テスト 確認`);

const CONTENT = set(`read cat fetch search find grep browse scrape crawl download view show page pages html document
  documents doc docs documentation file files source sources code snippet content contents email emails mail mails message
  messages chat transcript history wiki article articles web url webpage website http request curl tail head paste
  note notes comment comments post posts thread threads reddit news rss feed lookup retrieve recall memory knowledge
  lesen lies suche suchen finde lire chercher recherche leer buscar ler ricerca cerca leggi 搜索 读取 查询 検索 読む 取得`);

const MAKES_TEXT =
  set(`translate translation summarize summarise summary echo explain explanation generate compose draft
  rewrite paraphrase render format template prompt complete completion ask answer chat think thinking sequentialthinking
  say speak decode encode parse transcribe ocr caption classify detect sentiment label plan suggest advise recommend
  define definition definitions dictionary glossary meaning thesaurus synonym synonyms übersetzen traduire traducir traduzir tradurre 翻译 翻訳`);

const EXECUTES =
  set(`run exec execute command commands cmd shell bash sh zsh powershell eval evaluate python node script
  terminal repl notebook sandbox subprocess spawn`);

const READS = set(`get list read show describe fetch view find search query poll wait watch status state lookup inspect
  history progress summary info details count stats report hole zeige liste obtenir lister afficher obtener listar mostrar
  obter elenca mostra 获取 查看 列出 取得 一覧 表示`);

const SEARCHES = set(`search find lookup query grep match matches filter discover locate suggest autocomplete resolve
  suche suchen finde chercher recherche rechercher buscar pesquisar busca cerca ricerca cercare 搜索 查找 查询 検索 探す`);

const RELAYS =
  set(`fetch http https request requests curl wget url browse browser scrape scraper crawl crawler web webpage
  website page html proxy rest site render snapshot dom`);

/** Begin the name of a tool whose answer may well be no. */
const ASKS = set('is has have can could should may does do are exists will');

const PAGES = set('template templates email newsletter widget component markup');

/** What a tool makes out of words, whatever verb it is made with. */
const MADE_OF_WORDS =
  set(`story stories poem essay quiz diagram song joke letter speech itinerary report lyrics slogan outline
  paragraph description caption dialogue script headline`);

/** Verbs of change. `create_issue` and `send_email` act, whatever their nouns stand for in a reading tool's name. */
const ACTS = set(`create add insert update upsert delete remove send submit post publish upload write save set put patch
  move rename copy import export sync assign book schedule cancel deploy install register approve reject close merge push
  transfer pay refund charge order convert resize compress replace edit modify start stop restart enable disable train print
  index process apply reset clear archive restore backup migrate compile subscribe unsubscribe invite ban block mute tag
  label pin lock unlock grant revoke rotate sign charge
  erstellen anlegen löschen senden speichern importieren exportieren créer envoyer supprimer importer crear enviar eliminar
  importar criar excluir salvar creare inviare eliminare importare 创建 删除 发送 更新 导入 作成 削除 送信 更新する`);

/** The nature of the tool that a request names. A request without a tool acts. */
export function natureOf(request: JudgedRequest): ToolNature {
  const name = request.target ?? (request.params === undefined ? undefined : getString(request.params, 'name')) ?? '';
  const known = NATURES.get(name);
  if (known !== undefined) {
    return known;
  }
  const nature = readNature(name);
  NATURES.set(name.slice(0, 200), nature);
  return nature;
}

/** A name always gives the same nature, and servers have few tools with many calls. */
const NATURES = new BoundedMap<string, ToolNature>(1000);

function readNature(name: string): ToolNature {
  const words = wordsOf(name);
  const isAny = (of: ReadonlySet<string>) => words.some((word) => of.has(word));
  const acts = isAny(ACTS) && !READS.has(words[0] ?? '') && !EXECUTES.has(words[0] ?? '');
  const handlesPages = isAny(RELAYS) || isAny(PAGES);
  if (acts) {
    return { ...ACTING, makesText: MAKES_TEXT.has(words[0] ?? '') || isAny(MADE_OF_WORDS), handlesPages };
  }
  return {
    reports: isAny(REPORTS) || ASKS.has(words[0] ?? ''),
    carriesContent: isAny(CONTENT),
    makesText: isAny(MAKES_TEXT) || isAny(MADE_OF_WORDS),
    executes: isAny(EXECUTES),
    reads: isAny(READS),
    searches: isAny(SEARCHES),
    relays: isAny(RELAYS),
    handlesPages,
  };
}

/** Verbs of refusal and ending: for a tool named so, a refusal is what was asked for. */
const REFUSALS = [
  'reject',
  'declin',
  'den',
  'refus',
  'abort',
  'cancel',
  'fail',
  'block',
  'revok',
  'stop',
  'terminat',
  'ablehn',
  'refuser',
  'rechaz',
  'rejeit',
  'rifiut',
];

/** True when `words` tell of the refusal or ending that the tool is named for: `reject_request` gives "rejected". */
export function isOwnAct(request: JudgedRequest, words: string): boolean {
  const name = (request.target ?? '').toLowerCase();
  const said = words.slice(0, 200).toLowerCase();
  return REFUSALS.some((stem) => wordsOf(name).some((word) => word.startsWith(stem)) && said.includes(stem));
}

function set(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/));
}
