import type { HostToPage } from '../src/protocol/webview.ts';
import { type App, createApp, type VsCodeApi } from './app.ts';
import { createRpc, messageOf } from './rpc.ts';

declare function acquireVsCodeApi(): VsCodeApi;

const api = acquireVsCodeApi();
const rpc = createRpc((message) => api.postMessage(message));
let app: App | undefined;

function element(className: string): HTMLElement {
  const created = document.createElement('div');
  created.className = className;
  document.body.append(created);
  return created;
}

const root = element('root');
const liveRegion = element('sr-only');
liveRegion.setAttribute('aria-live', 'polite');

window.addEventListener('message', ({ data }: MessageEvent<HostToPage>) => {
  switch (data.type) {
    case 'reply':
      return rpc.accept(data);
    case 'notification':
      // What comes before the page is ready is older than the snapshot that makes it ready.
      return app?.accept(data);
    default:
      return undefined;
  }
});

window.addEventListener('pagehide', () => {
  app?.dispose();
  rpc.dispose();
});

const placement = document.body.getAttribute('data-placement') === 'editor' ? 'editor' : 'sidebar';
rpc
  .request('ready', { placement })
  .then(({ snapshot, strings }) => {
    app = createApp({ root, liveRegion, api, rpc, placement, strings, snapshot });
  })
  .catch((error: unknown) => {
    root.textContent = messageOf(error);
  });
