/** A secret that its own text gives away. */
export interface TokenShape {
  /** Its name in the placeholder. */
  readonly kind: string;
  /** How it begins. What is in it before the last character that is no letter, digit, `_` or `-` counts as look-behind. */
  readonly prefix: string;
  /** What has to follow, sticky; its end is the secret's end. */
  readonly rest: RegExp;
  /** A prefix that chance may put into base64 or a path: not where `/` or `+` comes before. */
  readonly isWeak: boolean;
}

const ALNUM = '[A-Za-z0-9]';
const WORD = '[\\w-]';
const HEX = '[0-9a-f]';
const BASE64 = '[A-Za-z0-9+/]';

/**
 * Kind, beginning, rest. Sources: the vendors' documentation of their token formats and GitHub's list of supported
 * secret scanning patterns (https://docs.github.com/code-security/secret-scanning/introduction/supported-secret-scanning-patterns).
 */
const TABLE: ReadonlyArray<readonly [kind: string, prefix: string, rest: string]> = [
  ['jwt', 'eyJ', `${WORD}{8,}\\.${WORD}{8,}(?:\\.${WORD}*){1,3}`],
  // Cloud providers
  ['aws', 'AKIA', '[A-Z0-9]{16}'],
  ['aws', 'ASIA', '[A-Z0-9]{16}'],
  ['aws', 'ABIA', '[A-Z0-9]{16}'],
  ['aws', 'ACCA', '[A-Z0-9]{16}'],
  ['aws', 'ABSK', `${BASE64}{100,}={0,2}`],
  ['google', 'AIza', `${WORD}{35}`],
  ['google', 'GOCSPX-', `${WORD}{28}`],
  ['google', 'ya29.', '[\\w.-]{20,}'],
  ['google', '1//0', `${WORD}{24,}`],
  ['alibaba', 'LTAI', `${ALNUM}{16,26}`],
  ['tencent', 'AKID', `${ALNUM}{32}`],
  ['yandex', 'AQVN', `${WORD}{35,38}`],
  ['digitalocean', 'dop_v1_', `${HEX}{64}`],
  ['digitalocean', 'doo_v1_', `${HEX}{64}`],
  ['digitalocean', 'dor_v1_', `${HEX}{64}`],
  ['fly', 'fm2_', '[\\w+/=,-]{40,}'],
  ['heroku', 'HRKU-', `${WORD}{30,}`],
  ['netlify', 'nfp_', `${ALNUM}{36,}`],
  ['planetscale', 'pscale_', '(?:tkn|oauth|pw)_[\\w.-]{32,}'],
  ['supabase', 'sbp_', `${HEX}{40}`],
  ['supabase', 'sb_secret_', `${WORD}{20,}`],
  ['databricks', 'dapi', `${HEX}{32}(?:-\\d)?`],
  // Code and packages
  ['github', 'ghp_', `${ALNUM}{36,}`],
  ['github', 'gho_', `${ALNUM}{36,}`],
  ['github', 'ghu_', `${ALNUM}{36,}`],
  ['github', 'ghs_', `${ALNUM}{36,}`],
  ['github', 'ghr_', `${ALNUM}{36,}`],
  ['github', 'github_pat_', '\\w{30,}'],
  ['gitlab', 'glpat-', `${WORD}{20,}(?:\\.[\\w.-]+)?`],
  ['gitlab', 'gldt-', `${WORD}{20,}`],
  ['gitlab', 'glrt-', `${WORD}{20,}`],
  ['gitlab', 'glcbt-', `${WORD}{20,}`],
  ['gitlab', 'glptt-', `${WORD}{20,}`],
  ['gitlab', 'gloas-', `${WORD}{20,}`],
  ['bitbucket', 'ATBB', `${ALNUM}{32,}`],
  ['atlassian', 'ATATT3', `[\\w=-]{50,}`],
  ['atlassian', 'ATCTT3', `[\\w=-]{50,}`],
  ['npm', 'npm_', `${ALNUM}{36}`],
  ['pypi', 'pypi-', `AgE${WORD}{40,}`],
  ['rubygems', 'rubygems_', `${HEX}{48}`],
  ['crates', 'cio', `${ALNUM}{32}`],
  ['docker', 'dckr_pat_', `${WORD}{20,}`],
  ['nuget', 'oy2', '[a-z0-9]{43}'],
  ['terraform', 'atlasv1.', `${WORD}{60,}`],
  ['vault', 'hvs.', `${WORD}{20,}`],
  ['vault', 'hvb.', `${WORD}{20,}`],
  ['vault', 'hvr.', `${WORD}{20,}`],
  ['doppler', 'dp.pt.', `${ALNUM}{40,}`],
  ['doppler', 'dp.st.', '[\\w.-]{40,}'],
  // Models
  ['openai', 'sk-proj-', `${WORD}{20,}`],
  ['openai', 'sk-svcacct-', `${WORD}{20,}`],
  ['openai', 'sk-admin-', `${WORD}{20,}`],
  ['anthropic', 'sk-ant-', `${WORD}{20,}`],
  ['openrouter', 'sk-or-', `${WORD}{20,}`],
  ['langfuse', 'sk-lf-', `${HEX}{8}-${WORD}{20,}`],
  ['openai', 'sk-', `${ALNUM}{32,}`],
  ['huggingface', 'hf_', `${ALNUM}{30,}`],
  ['groq', 'gsk_', `${ALNUM}{40,}`],
  ['replicate', 'r8_', `${ALNUM}{37}`],
  ['xai', 'xai-', `${ALNUM}{60,}`],
  ['perplexity', 'pplx-', `${ALNUM}{40,}`],
  ['langsmith', 'lsv2_', `(?:pt|sk)_${HEX}{32}_${HEX}{10}`],
  ['tavily', 'tvly-', `${WORD}{20,}`],
  ['pinecone', 'pcsk_', '\\w{40,}'],
  // Messages and payments
  ['slack', 'xoxb-', `${WORD}{20,}`],
  ['slack', 'xoxp-', `${WORD}{20,}`],
  ['slack', 'xoxa-', `${WORD}{20,}`],
  ['slack', 'xoxr-', `${WORD}{20,}`],
  ['slack', 'xoxs-', `${WORD}{20,}`],
  ['slack', 'xoxe', '[.\\w-]{20,}'],
  ['slack', 'xapp-', `\\d-${WORD}{20,}`],
  ['stripe', 'sk_live_', `${ALNUM}{20,}`],
  ['stripe', 'sk_test_', `${ALNUM}{20,}`],
  ['stripe', 'rk_live_', `${ALNUM}{20,}`],
  ['stripe', 'rk_test_', `${ALNUM}{20,}`],
  ['stripe', 'whsec_', `${BASE64}{24,}=*`],
  ['square', 'sq0atp-', `${WORD}{22}`],
  ['square', 'sq0csp-', `${WORD}{43}`],
  ['paypal', 'access_token$', `(?:production|sandbox)\\$${ALNUM}{16}\\$${HEX}{32}`],
  ['shopify', 'shpat_', '[0-9a-fA-F]{32}'],
  ['shopify', 'shpss_', '[0-9a-fA-F]{32}'],
  ['shopify', 'shpca_', '[0-9a-fA-F]{32}'],
  ['sendgrid', 'SG.', `${WORD}{16,}\\.${WORD}{16,}`],
  ['sendinblue', 'xkeysib-', `${HEX}{64}-${ALNUM}{16}`],
  ['mailgun', 'key-', `${HEX}{32}`],
  ['twilio', 'SK', `${HEX}{32}`],
  ['facebook', 'EAA', `${ALNUM}{60,}`],
  // Tools of teams
  ['linear', 'lin_api_', `${ALNUM}{32,}`],
  ['linear', 'lin_oauth_', `${ALNUM}{32,}`],
  ['notion', 'ntn_', `${ALNUM}{40,}`],
  ['notion', 'secret_', `${ALNUM}{43}`],
  ['figma', 'figd_', `${WORD}{36,}`],
  ['airtable', 'pat', `${ALNUM}{14}\\.${HEX}{64}`],
  ['postman', 'PMAK-', `${HEX}{24}-${HEX}{34}`],
  ['grafana', 'glsa_', `${ALNUM}{32}_[0-9a-fA-F]{8}`],
  ['grafana', 'glc_', `${BASE64}{32,}={0,2}`],
  ['newrelic', 'NRAK-', '[A-Z0-9]{27}'],
  ['sentry', 'sntrys_', '[\\w+/=-]{40,}'],
  ['sentry', 'sntryu_', `${HEX}{64}`],
  ['dynatrace', 'dt0c01.', '[A-Z0-9]{24}\\.[A-Z0-9]{64}'],
  ['dropbox', 'sl.', `(?:u\\.)?${WORD}{60,}`],
  ['age', 'AGE-SECRET-KEY-', '1[A-Z0-9]{58}'],
  ['1password', 'ops_', `eyJ${WORD}{100,}`],
];

/** Those whose first letters mean nothing: chance, in a megabyte of base64, would find one. */
const WEAK = new Set([
  'AKIA',
  'ASIA',
  'ABIA',
  'ACCA',
  'AIza',
  'LTAI',
  'AKID',
  'AQVN',
  'dapi',
  'cio',
  'oy2',
  'ATBB',
  'EAA',
  'SK',
  'pat',
]);

/** A token goes on to a character that none has, so that a longer word is no token. */
const END = '(?![A-Za-z0-9_-])';

/** Every shape, in the order in which they are tried: the more special of two that begin alike comes first. */
export const TOKEN_SHAPES: readonly TokenShape[] = TABLE.map(([kind, prefix, rest]) => ({
  kind,
  prefix,
  rest: new RegExp(`(?:${rest})${END}`, 'y'),
  isWeak: WEAK.has(prefix),
}));
