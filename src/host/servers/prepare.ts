import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { assertNever } from '../../base/assertNever.ts';
import { variablesIn } from '../../core/client/discovery/inputs.ts';
import { readEnvFile } from '../../core/client/envFile.ts';
import { type Resolution, resolveVariables, type VariableEnvironment } from '../../core/client/resolveVariables.ts';
import type { DefinitionInput, ServerDefinition } from '../../protocol/definition.ts';
import type { ValueStore } from './valueStore.ts';

const { t } = vscode.l10n;

/** A definition ready to be started, the problems that keep it from that, or that a person did not answer. */
export type Prepared = Resolution | { readonly kind: 'unanswered' };

/** Fills in a definition for its start: asks for its inputs unless they were answered, and takes its secrets out. */
export async function prepareDefinition(definition: ServerDefinition, values: ValueStore): Promise<Prepared> {
  const inputs: Record<string, string> = {};
  for (const input of definition.inputs ?? []) {
    const answer = await answerOf(input, definition, values);
    if (answer === undefined) {
      return { kind: 'unanswered' };
    }
    inputs[input.id] = answer;
  }
  const secrets: Record<string, string> = {};
  for (const name of secretsIn(definition)) {
    const secret = await values.secret(name);
    if (secret !== undefined) {
      secrets[name] = secret;
    }
  }
  return resolveVariables(definition, { ...environmentOf(definition), inputs, secrets });
}

/** The definition as far as it is known without asking anybody: what a person agrees to. */
export function previewDefinition(definition: ServerDefinition): ServerDefinition {
  const resolution = resolveVariables(definition, { ...environmentOf(definition), keepsUnknown: true });
  return 'definition' in resolution ? resolution.definition : definition;
}

/** What can be told to be missing before a start; inputs and secrets are asked for only then. */
export function problemsBeforeStart(definition: ServerDefinition) {
  const anything = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, '']));
  const environment = {
    ...environmentOf(definition),
    inputs: anything((definition.inputs ?? []).map(({ id }) => id)),
    secrets: anything(secretsIn(definition)),
  };
  const resolution = resolveVariables(definition, environment);
  return 'problems' in resolution ? resolution.problems : [];
}

/** The folder of the workspace that a definition belongs to, or the first. Only those on disk: nothing runs in another. */
export function folderOf({ source }: ServerDefinition): vscode.WorkspaceFolder | undefined {
  const own = source.path === undefined ? undefined : vscode.workspace.getWorkspaceFolder(vscode.Uri.file(source.path));
  return own ?? foldersOnDisk()[0];
}

function foldersOnDisk(): readonly vscode.WorkspaceFolder[] {
  return (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
}

/** What the variables of folders stand for in a definition. */
export function folderVariables(
  definition: ServerDefinition,
): Pick<VariableEnvironment, 'workspaceFolder' | 'workspaceFolders'> {
  return {
    workspaceFolder: folderOf(definition)?.uri.fsPath,
    workspaceFolders: Object.fromEntries(foldersOnDisk().map(({ name, uri }) => [name, uri.fsPath])),
  };
}

function environmentOf(definition: ServerDefinition): VariableEnvironment {
  return {
    ...folderVariables(definition),
    userHome: homedir(),
    env: process.env,
    readEnvFile,
    separator: path.sep === '\\' ? '\\' : '/',
  };
}

function secretsIn({ transport }: ServerDefinition): readonly string[] {
  return variablesIn(transport).flatMap((variable) => (variable.startsWith('secret:') ? [variable.slice(7)] : []));
}

async function answerOf(
  input: DefinitionInput,
  { name, source }: ServerDefinition,
  values: ValueStore,
): Promise<string | undefined> {
  const key = `input.${input.id} (${source.path ?? source.kind})`;
  const isSecret = input.type === 'promptString' && input.password;
  const known = isSecret ? await values.secret(key) : values.answer(key);
  const answer = known ?? (await ask(input, t('MCP server "{0}"', name)));
  if (known === undefined && answer !== undefined) {
    if (isSecret) {
      await values.setSecret(key, answer);
    } else {
      values.setAnswer(key, answer);
    }
  }
  return answer;
}

async function ask(input: DefinitionInput, title: string): Promise<string | undefined> {
  switch (input.type) {
    case 'promptString':
      return vscode.window.showInputBox({
        title,
        prompt: input.description,
        password: input.password,
        ignoreFocusOut: true,
        ...(input.default === undefined ? {} : { value: input.default }),
      });
    case 'pickString': {
      const isDefault = ({ value }: { value: string }) => value === input.default;
      const items = [...input.options.filter(isDefault), ...input.options.filter((option) => !isDefault(option))];
      const chosen = await vscode.window.showQuickPick(
        items.map((option) => ({ ...option, description: isDefault(option) ? t('default') : '' })),
        { title, placeHolder: input.description, ignoreFocusOut: true },
      );
      return chosen?.value;
    }
    case 'command': {
      const answer: unknown = await vscode.commands.executeCommand(input.command, input.args);
      return typeof answer === 'string' ? answer : undefined;
    }
    default:
      return assertNever(input);
  }
}
