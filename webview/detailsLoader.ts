import { messageOf, type Rpc } from './rpc.ts';
import { type PageState, rowOfKey, type Store } from './store.ts';

/** What of a row's look its details repeat: when it changes, they are out of date. */
function signatureOf(state: PageState, key: number): string {
  const row = rowOfKey(state, key);
  if (row !== undefined) {
    const { outcomeText, durationUs, reason, segments, marks } = row;
    return JSON.stringify([outcomeText, durationUs, reason, segments?.length, marks.length, state.detailsAge]);
  }
  const { details } = state;
  const isPending = details.kind === 'shown' && details.view.row.outcome === 'pending';
  return isPending ? `epoch ${state.snapshot.epoch}` : `not loaded ${state.detailsAge}`;
}

/**
 * Keeps the details of the selected row while their pane is open. Returns what to call after each render: it asks when
 * another row is selected, and again when the selected row has changed.
 */
export function createDetailsLoader(rpc: Rpc, store: Store): () => void {
  let asked: { readonly key: number; readonly signature: string } | undefined;
  let isAsking = false;

  async function load(key: number): Promise<void> {
    isAsking = true;
    if (store.state.details.kind === 'none' || store.state.details.key !== key) {
      store.dispatch({ type: 'detailsChanged', details: { kind: 'loading', key } });
    }
    try {
      const [{ details }, { detailsPane }] = await Promise.all([
        rpc.request('details', { key }),
        import('./detailsPane.ts'),
      ]);
      if (store.state.selected === key) {
        store.dispatch({
          type: 'detailsChanged',
          details: details === undefined ? { kind: 'none' } : { kind: 'shown', key, view: details, pane: detailsPane },
        });
      }
    } catch (error) {
      if (store.state.selected === key) {
        store.dispatch({ type: 'detailsChanged', details: { kind: 'failed', key, message: messageOf(error) } });
      }
    }
    isAsking = false;
    ensure();
  }

  function ensure(): void {
    const { selected, isDetailsOpen } = store.state;
    if (selected === undefined || !isDetailsOpen || isAsking) {
      return;
    }
    const signature = signatureOf(store.state, selected);
    if (asked?.key !== selected || asked.signature !== signature) {
      asked = { key: selected, signature };
      void load(selected);
    }
  }

  return ensure;
}
