import { showUserError, userErrors } from './userError.ts';

/**
 * Tells something that has been done and offers what may follow, and does not wait for an answer: whether somebody looks
 * is another matter than the command, which is over. What goes wrong with the offer is told under its title.
 */
export function offer(
  show: (message: string, ...items: string[]) => PromiseLike<string | undefined>,
  message: string,
  offered: { readonly title: string; readonly run: () => unknown } | undefined,
): void {
  const follow = async () => {
    const chosen = await show(message, ...(offered === undefined ? [] : [offered.title]));
    if (offered !== undefined && chosen === offered.title) {
      try {
        await offered.run();
      } catch (error) {
        await showUserError(userErrors.commandFailed(offered.title, error));
      }
    }
  };
  void follow();
}
