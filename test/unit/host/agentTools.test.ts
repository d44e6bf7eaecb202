import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AGENT_TOOL_NAMES, agentToolInputs, agentToolTexts } from '../../../src/protocol/agentTools.ts';

interface ToolContribution {
  readonly name: string;
  readonly modelDescription: string;
  readonly inputSchema: unknown;
}

const manifest = JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../../../package.json'), 'utf8')) as {
  readonly contributes: { readonly languageModelTools: readonly ToolContribution[] };
};

describe('the language-model tools of the manifest', () => {
  it('are those that are served over MCP', () => {
    expect(manifest.contributes.languageModelTools.map(({ name }) => name)).toEqual(
      AGENT_TOOL_NAMES.map((name) => `faultline_${name}`),
    );
  });

  it.each(AGENT_TOOL_NAMES)('%s takes and promises the same', (name) => {
    const tool = manifest.contributes.languageModelTools.find((one) => one.name === `faultline_${name}`);
    const { $schema: _, ...schema } = z.toJSONSchema(agentToolInputs[name], { io: 'input' });
    expect(tool?.inputSchema).toEqual(schema);
    expect(tool?.modelDescription).toBe(
      agentToolTexts[name].description.replaceAll(/\b(?:show_exchange)\b/g, 'faultline_$&'),
    );
  });
});
