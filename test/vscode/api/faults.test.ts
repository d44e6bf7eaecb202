import * as vscode from 'vscode';
import { timelineText, until } from './support.ts';

const count = (text: string, pattern: RegExp) => text.split('\n').filter((line) => pattern.test(line)).length;
const injected = (text: string) => count(text, /\[.*injected: /);
/** One of the last calls of the demo's script, once a run. */
const runs = (text: string) => count(text, / reindex_catalogue /);
/** Whether the text is as new as the script's end: what is shown may be from amid it. */
const isOver = (text: string) => / bookshop +search_books /.test(text.trimEnd().split('\n').at(-1) ?? '');

describe('injected faults', () => {
  it('are met by the calls of this window until they are stopped', async function () {
    // Three times the demo, of which each takes some ten seconds.
    this.timeout(180_000);
    // The demo defines its servers itself.
    await vscode.commands.executeCommand('faultline.runDemo');
    const before = await until(timelineText, (text) => runs(text) > 0 && isOver(text));
    await vscode.commands.executeCommand('faultline.injectFaults', {
      profile: 'rate-limited-api',
      servers: ['demo:bookshop'],
    });
    await vscode.commands.executeCommand('faultline.runDemo');
    const during = await until(
      timelineText,
      (text) => runs(text) > runs(before) && isOver(text) && injected(text) > injected(before),
    );
    await vscode.commands.executeCommand('faultline.stopFaults');
    await vscode.commands.executeCommand('faultline.runDemo');
    await until(
      timelineText,
      (text) => runs(text) > runs(during) && isOver(text) && injected(text) === injected(during),
    );
  });
});
