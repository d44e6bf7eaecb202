import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { AgentToolName } from '../../protocol/agentTools.ts';
import type { Services } from '../services.ts';

const { t } = vscode.l10n;

/** What the tools read. */
export type AgentParts = Pick<Services, 'context' | 'recording' | 'surfaces' | 'lint'>;

/** By the names of the manifest, which are shared with all other extensions' tools. */
const TOOLS: Readonly<Record<string, { readonly tool: AgentToolName; readonly doing: string }>> = {
  faultline_recent_failures: { tool: 'recent_failures', doing: t('Reading recent failures of MCP calls') },
  faultline_show_exchange: { tool: 'show_exchange', doing: t('Reading an MCP exchange') },
  faultline_usability_report: { tool: 'usability_report', doing: t('Reading the usability report') },
  faultline_lint_findings: { tool: 'lint_findings', doing: t('Linting MCP servers') },
};

/**
 * Lets coding agents read what broke: recent failures, one exchange, the report, the findings. They change nothing, so that
 * no question is asked before. What answers loads with the first question.
 */
export function registerAgentTools(parts: AgentParts): Disposable {
  const store = new DisposableStore();
  for (const [name, { tool, doing }] of Object.entries(TOOLS)) {
    store.add(
      vscode.lm.registerTool<object>(name, {
        prepareInvocation: () => ({ invocationMessage: doing }),
        invoke: async ({ input }, token) => {
          const { answer } = await import('./windowSource.ts');
          const text = await answer(tool, input, parts, token);
          return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
        },
      }),
    );
  }
  return store;
}
