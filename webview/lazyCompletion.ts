import { nothing } from 'lit-html';
import type { FilterCompletion } from './filterCompletion.ts';

/** Suggestions whose code loads when the filter is first entered. Keys that come before are left to others. */
export function lazyCompletion(
  load: () => Promise<FilterCompletion>,
  onDidFail: (error: unknown) => void,
): FilterCompletion {
  let loaded: FilterCompletion | undefined;
  let isAsked = false;
  /** The last thing that was done to the field meanwhile. */
  let waiting: ((completion: FilterCompletion) => void) | undefined;

  function use(act: (completion: FilterCompletion) => void): void {
    if (loaded !== undefined) {
      act(loaded);
      return;
    }
    waiting = act;
    if (!isAsked) {
      isAsked = true;
      load().then((completion) => {
        loaded = completion;
        waiting?.(completion);
      }, onDidFail);
    }
  }

  return {
    get isOpen() {
      return loaded?.isOpen === true;
    },
    get activeId() {
      return loaded?.activeId;
    },
    view: (label) => loaded?.view(label) ?? nothing,
    typed: (input) => use((completion) => completion.typed(input)),
    focused: (input) => use((completion) => completion.focused(input)),
    close() {
      waiting = undefined;
      loaded?.close();
    },
    press: (event, input) => loaded?.press(event, input),
  };
}
