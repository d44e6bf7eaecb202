import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import type { CommandArguments, CommandId, ContextKey, Settings } from './contributions.ts';

/** A handler for each command: leaving one out does not compile. */
export type CommandTable = { readonly [C in CommandId]: (...args: CommandArguments[C]) => unknown };

/** Registers the whole table. */
export function registerCommands(table: CommandTable): Disposable {
  return vscode.Disposable.from(
    ...Object.entries(table).map(([id, handler]) => vscode.commands.registerCommand(id, handler)),
  );
}

/** Runs one of our own commands, with its arguments checked. */
export function runCommand<C extends CommandId>(command: C, ...args: CommandArguments[C]): Thenable<unknown> {
  return vscode.commands.executeCommand(command, ...args);
}

/** Reads a setting. A value of the wrong type gives the manifest's default, as VS Code's own readers do. */
export function readSetting<S extends keyof Settings>(name: S, scope?: vscode.Uri): Settings[S] {
  const configuration = vscode.workspace.getConfiguration('faultline', scope);
  const value = configuration.get<Settings[S]>(name);
  const fallback = configuration.inspect<Settings[S]>(name)?.defaultValue;
  const isUsable = typeof value === typeof fallback && Array.isArray(value) === Array.isArray(fallback);
  return (isUsable ? value : fallback) as Settings[S];
}

const written = new Map<ContextKey, boolean>();

/** Sets a context key, and only when it changes: each write crosses to the window. */
export function setContextKey(key: ContextKey, value: boolean): void {
  if (written.get(key) !== value) {
    written.set(key, value);
    void vscode.commands.executeCommand('setContext', key, value);
  }
}
