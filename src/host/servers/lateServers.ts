import { CrashSupervisor } from '../../core/client/diagnosis/crashSupervisor.ts';
import type { ConnectionFailure } from '../../core/client/failure.ts';
import type { DefinitionProblem } from '../../protocol/definition.ts';
import { say } from '../say.ts';
import { watchDefinitions } from './definitionSources.ts';
import { explain, explainLoop } from './explain.ts';
import { prepareDefinition, previewDefinition } from './prepare.ts';
import { setSecret } from './setSecret.ts';
import { watchSources } from './watchMode.ts';

// Its own bundle, loaded when activation is over: reading definitions, preparing starts, explaining failures.

/** The failure of a start whose definition could not be filled in. */
export function failureOf(problems: readonly DefinitionProblem[]): ConnectionFailure {
  const problem = problems.map(({ code, args }) => say(code, args)).join(' ');
  const code = 'connection.unprepared';
  return { code, remedy: `${code}.remedy`, args: { problem }, failure: { reason: 'closed', message: problem } };
}

export {
  CrashSupervisor,
  explain,
  explainLoop,
  prepareDefinition,
  previewDefinition,
  setSecret,
  watchDefinitions,
  watchSources,
};
