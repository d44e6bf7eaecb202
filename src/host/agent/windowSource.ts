import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { agentFinding } from '../../core/agent/agentFinding.ts';
import type { AgentFindings, AgentSource } from '../../core/agent/agentSource.ts';
import { agentVoice } from '../../core/agent/agentVoice.ts';
import { answerAgent } from '../../core/agent/answerAgent.ts';
import { passingKeys, wrongFilter } from '../../core/agent/recentFailures.ts';
import { Redactor } from '../../core/log/redact/redactor.ts';
import { reportMarkdown } from '../../core/report/markdown.ts';
import { reportOf } from '../../core/report/reportOf.ts';
import { parseFilter } from '../../core/timeline/filter/parse.ts';
import { SilentByName } from '../../core/timeline/silentTools.ts';
import { isAboutHiding } from '../../lint/hidingRules.ts';
import type { AgentToolName } from '../../protocol/agentTools.ts';
import type { ConnectionId } from '../../protocol/events.ts';
import { readSetting } from '../manifest.ts';
import { eventsOf } from '../sessions/eventsOf.ts';
import type { AgentParts } from './agentTools.ts';

// Its own bundle, loaded with the first question of an agent.

/** Events of one exchange that are read at most. */
const MAX_EVENTS = 5000;
/** Messages in which a text is found at most, the newest. */
const MAX_HITS = 200_000;

/** The answer to an agent's question, as text. One that it asked wrongly is thrown, as the API wants it: its message is for the model. */
export async function answer(
  tool: AgentToolName,
  input: object,
  parts: AgentParts,
  token: vscode.CancellationToken,
): Promise<string> {
  const { text, isError } = await answerAgent(tool, input, sourceOf(parts, token));
  if (isError) {
    throw new Error(text);
  }
  return text;
}

function sourceOf({ context, recording, surfaces, lint }: AgentParts, token: vscode.CancellationToken): AgentSource {
  const nowUs = () => Date.now() * 1000;
  const voice = agentVoice((server) => surfaces.own.nameOf(server));
  const source: AgentSource = {
    nowUs,
    timeline: async () => {
      await recording.load();
      return recording.timeline;
    },
    exchange: async (key) => recording.exchange(key),
    events: async ({ from, to, connection }) =>
      recording.log.read({ from, to, connection: connection as ConnectionId, limit: MAX_EVENTS }),
    search: (text) => recording.log.search(text, { limit: MAX_HITS }),
    // English throughout: the answers are for models.
    nameOf: voice.nameOf,
    say: voice.say,
    report: async (filter) => {
      const parsed = parseFilter(filter ?? '');
      if (parsed.kind === 'error') {
        return { problem: wrongFilter(filter ?? '', parsed.error, source) };
      }
      const keys = filter === undefined ? undefined : await passingKeys(parsed.root, source);
      const redactor = new Redactor(randomBytes(32));
      const report = await reportOf(eventsOf(recording.log, undefined, { afterChunk: throwIfCancelled }), {
        loopLimit: readSetting('agent.loopLimit'),
        redact: (text, isJson) => redactor.redact(text, isJson).text,
        ...(keys === undefined ? {} : { isWanted: ({ key }) => keys.has(key) }),
        frame: {
          generatedAt: new Date().toISOString(),
          faultline: (context.extension.packageJSON as { version: string }).version,
          scope: {
            sessions: recording.log.sessions().map(({ id, name }) => ({ id, ...(name === undefined ? {} : { name }) })),
            ...(filter === undefined ? {} : { filter }),
          },
        },
      });
      return { markdown: reportMarkdown(report, voice) };
    },
    findings: (path) => findings(path),
  };
  return source;

  /** Half of a report would be told as the whole. */
  function throwIfCancelled(): void {
    if (token.isCancellationRequested) {
      throw new vscode.CancellationError();
    }
  }

  async function findings(path: string | undefined): Promise<AgentFindings> {
    const { files, isComplete } = await (await lint.load()).workspaceFindings();
    if (!isComplete) {
      return { problem: 'Linting the workspace was cancelled.' };
    }
    const seen = new SilentByName(recording.silentTools);
    const wanted = path?.replaceAll('\\', '/').replace(/^\.\//, '').replace(/\/$/, '');
    const within = files.filter(({ uri }) => {
      const name = vscode.workspace.asRelativePath(uri, false);
      return (
        wanted === undefined || wanted === '' || wanted === '.' || name === wanted || name.startsWith(`${wanted}/`)
      );
    });
    if (within.length === 0 && wanted !== undefined) {
      return { problem: 'No source file of an MCP server is there. Paths are relative to the workspace folder.' };
    }
    return {
      files: within.length,
      findings: within.flatMap(({ uri, findings: ofFile }) =>
        ofFile.map((finding) => {
          const calls = isAboutHiding(finding) ? seen.of(finding.tools) : undefined;
          return agentFinding(vscode.workspace.asRelativePath(uri, false), finding, calls?.count ?? 0);
        }),
      ),
    };
  }
}
