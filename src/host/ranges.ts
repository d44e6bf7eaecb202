import * as vscode from 'vscode';
import type { SourceRange } from '../protocol/finding.ts';

/** A source range of ours, 0-based, as VS Code's. */
export function rangeOf(range: SourceRange): vscode.Range {
  return new vscode.Range(range.startLine, range.startColumn, range.endLine, range.endColumn);
}
