import { clientTexts } from '../../../src/protocol/texts/client.ts';
import { startTexts } from '../../../src/protocol/texts/start.ts';
import { cell, table } from './markdown.ts';

/** The causes of failed starts with their remedies, as the product says them. Places of a sentence are in italics. */
export function causesPage(): string {
  return `# Why a server is not there

<!-- Written by \`npm run docs\` from src/protocol/texts/start.ts and client.ts. -->

The cause stands in the Servers view, in the details of the row \`connect\` and, of \`faultline call --format json\`, under \`cause\`. In
what order causes are looked for: [servers.md](servers.md#why-a-server-did-not-start).

## What is found out about a start

${causes(startTexts, 'start.')}

## What is known of a connection

Said where nothing of the above was found.

${causes(clientTexts, 'connection.')}
`;
}

function causes(texts: Readonly<Record<string, string>>, prefix: string): string {
  const codes = Object.keys(texts).filter((code) => code.startsWith(prefix) && !code.endsWith('.remedy'));
  return table(
    ['code', 'what it says', 'what to do'],
    codes.map((code) => [`\`${code}\``, said(texts[code]), said(texts[`${code}.remedy`])]),
  );
}

const said = (text = '') => cell(text.replaceAll('<', '&lt;').replaceAll(/\{(\w+)\}/g, '_$1_'));
