import * as vscode from 'vscode';

/** Asks again until it is so, and gives the last answer; the limit of the test ends it. */
export async function until<T>(ask: () => T | PromiseLike<T>, isSo: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await ask();
    if (isSo(value)) {
      return value;
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** What the timeline says as text, now. */
export async function timelineText(): Promise<string> {
  await vscode.commands.executeCommand('faultline.openTimelineAsText');
  await vscode.commands.executeCommand('faultline.refreshText');
  return vscode.window.activeTextEditor?.document.getText() ?? '';
}
