import type { Manifest, SettingSchema } from './manifest.ts';
import { cell, table } from './markdown.ts';

/** The sections of the page: its title, the settings whose names begin so, and where more is said. */
const SECTIONS: readonly {
  readonly title: string;
  readonly names: RegExp;
  readonly more: string;
}[] = [
  {
    title: 'Servers',
    names: /^faultline\.(servers|tools|discovery|watch|restartOnCrash|trustedServers|signIn\.)/,
    more: 'What each client may define, and how variables are filled in: [servers.md](servers.md).',
  },
  {
    title: 'Taps',
    names: /^faultline\.tap\./,
    more: 'How taps are put into clients and taken out again: [tap.md](tap.md).',
  },
  {
    title: 'Retries',
    names: /^faultline\.(retry|agent)\./,
    more: 'What may be repeated at all: [outcomes.md](outcomes.md#may-the-same-request-be-sent-again).',
  },
  {
    title: 'Time limits',
    names: /^faultline\.timeout\./,
    more: '`faultline.tools` sets the limit of a single tool.',
  },
  {
    title: 'The log, and what is kept out of it',
    names: /^faultline\.(log|redact)\./,
    more: 'What is replaced before anything is written: [redaction.md](redaction.md).',
  },
  {
    title: 'Source',
    names: /^faultline\.(codeLens|lint)\./,
    more: 'Rules are configured by `faultline.config.json`, in the editor and outside: [rules](rules/README.md).',
  },
  {
    title: 'OpenTelemetry',
    names: /^faultline\.otlp\./,
    more: 'What is exported, and to whom: [otel.md](otel.md).',
  },
];

/** The page of all settings. Throws when a setting belongs to no section. */
export function settingsPage(manifest: Manifest): string {
  const settings = Object.entries(manifest.contributes.configuration.properties).sort(
    ([, a], [, b]) => (a.order ?? 0) - (b.order ?? 0),
  );
  const restricted = new Set(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations);
  const homeless = settings.filter(([name]) => !SECTIONS.some(({ names }) => names.test(name)));
  if (homeless.length > 0) {
    throw new Error(`no section of docs/settings.md takes ${homeless.map(([name]) => name).join(', ')}`);
  }
  const sections = SECTIONS.map(({ title, names, more }) => {
    const rows = settings
      .filter(([name]) => names.test(name))
      .map(([name, schema]) => [
        `\`${name}\``,
        code(schema.default),
        cell(takes(schema)),
        cell(`${described(schema)}${notes(schema, restricted.has(name))}`),
      ]);
    return `## ${title}\n\n${table(['setting', 'default', 'takes', 'what it does'], rows)}\n\n${more}`;
  });
  return `# Settings

<!-- Written by \`npm run docs\` from package.json and package.nls.json. -->

All of them are in the Settings editor under **Faultline**. None has to be set. Times are in milliseconds where the name ends in \`Ms\`.
"This machine only" means that a workspace cannot set it; "not in an untrusted workspace" that a workspace's own value counts only
once you trust it.

${sections.join('\n\n')}
`;
}

/** A value as JSON, an empty text in words. */
function code(value: unknown): string {
  return value === '' ? 'empty' : `\`${cell(JSON.stringify(value))}\``;
}

function takes(schema: SettingSchema): string {
  if (schema.enum !== undefined) {
    return schema.enum.map((choice) => `\`${choice}\``).join(', ');
  }
  const types = [schema.type].flat().join(' or ');
  const ofItems = schema.items === undefined ? types : `${types} of ${schema.items.type}s`;
  const { minimum, maximum } = schema;
  return minimum !== undefined && maximum !== undefined
    ? `${types}, ${minimum} to ${maximum}`
    : minimum === undefined
      ? ofItems
      : `${types}, at least ${minimum}`;
}

/** What the Settings editor says; its links to other settings are names here. */
function described({ markdownDescription, ...schema }: SettingSchema): string {
  const texts = schema.markdownEnumDescriptions ?? schema.enumDescriptions ?? [];
  const choices = (schema.enum ?? []).flatMap((choice, at) => {
    const text = texts[at];
    return text === undefined ? [] : [`\`${choice}\`: ${text}`];
  });
  return [markdownDescription, ...choices].join('<br>').replaceAll(/#([\w.]+)#/g, '$1');
}

function notes({ scope }: SettingSchema, isRestricted: boolean): string {
  const facts = [
    ...(scope === 'machine' || scope === 'application' ? ['this machine only'] : []),
    ...(scope === 'resource' ? ['may differ by folder'] : []),
    ...(isRestricted && scope !== 'machine' ? ['not in an untrusted workspace'] : []),
  ];
  return facts.length === 0 ? '' : ` _(${facts.join('; ')})_`;
}
