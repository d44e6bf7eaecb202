import type { HttpDefinition, StdioDefinition } from '../../../protocol/definition.ts';
import type { Copied, CopySource } from './copySource.ts';
import { EnvNames, type Part, replaceHidden, unitEscapes } from './parts.ts';
import { withoutMeta } from './plainParams.ts';
import { commandLine, shellText, shellWord } from './shell.ts';

/** The call of a tool as a `faultline call` for a POSIX shell. */
export function copyAsCall({ server, method, params, initiator }: CopySource): Copied {
  const tool = params?.['name'];
  if (method !== 'tools/call' || initiator !== 'client' || typeof tool !== 'string') {
    return { refusal: 'copy.refused.notATool' };
  }
  if (!server.isInMcpJson && server.transport === undefined) {
    return { refusal: 'copy.refused.noServer' };
  }
  const env = new EnvNames();
  const options = server.isInMcpJson || server.transport === undefined ? [] : transportOptions(server.transport, env);
  const given = withoutMeta(params)['arguments'] ?? {};
  const isBare = JSON.stringify(given) === '{}' && !tool.trimStart().startsWith('{');
  const json = replaceHidden(JSON.stringify(given), (_code, character) => unitEscapes(character));
  const words = [...(options.length === 0 ? [shellText(server.name)] : []), shellText(tool)];
  const args = isBare ? [] : [shellWord(env.partsOf(json, 'argument', 'recorded'))];
  // What begins like an option is a word all the same.
  const separator = [server.name, tool].some((word) => word.startsWith('-')) ? ['--'] : [];
  return { text: ['faultline call', ...options, ...separator, ...words, ...args].join(' '), env: env.names };
}

function transportOptions(transport: StdioDefinition | HttpDefinition, env: EnvNames): readonly string[] {
  if (transport.type === 'http') {
    return ['--url', shellWord(env.partsOf(transport.url, 'url', 'definition'))];
  }
  const words = [transport.command, ...transport.args].map((word) => env.partsOf(word, 'argument', 'definition'));
  for (const name of Object.keys(transport.env)) {
    env.note(name);
  }
  return ['--command', shellWord(joined(commandLine(words)))];
}

/** Neighbouring texts as one, so that a word without variables has one pair of quotes. */
function joined(parts: readonly Part[]): readonly Part[] {
  return parts.reduce<Part[]>((all, part) => {
    const last = all.at(-1);
    if (last !== undefined && 'text' in last && 'text' in part) {
      all[all.length - 1] = { text: last.text + part.text };
    } else {
      all.push(part);
    }
    return all;
  }, []);
}
