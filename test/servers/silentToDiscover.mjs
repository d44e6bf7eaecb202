// Never answers a request before `initialize`, and all of them after it.
import { serve } from './support/stdioServer.mjs';

let isOpen = false;
serve({
  onRequest: ({ method }) => {
    isOpen ||= method === 'initialize';
    return !isOpen;
  },
});
