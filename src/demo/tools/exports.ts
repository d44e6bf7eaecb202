import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type ToolGroup, text } from '../toolGroup.ts';

const stepMs = 150;

/** Slow work with progress, that stops when it is told to: `success`, `cancelled`, or `timeout` after progress. */
export const registerExportTools: ToolGroup = (server, shop) => {
  server.registerTool(
    'export_all',
    {
      title: 'Export catalogue',
      description: 'Write the whole catalogue to a file, shelf by shelf. Reports progress and can be cancelled.',
      inputSchema: { shelves: z.number().int().min(1).max(200).default(40).describe('Shelves to export') },
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    async ({ shelves }, { signal, sendNotification, _meta }) => {
      const progressToken = _meta?.progressToken;
      for (let shelf = 1; shelf <= shelves; shelf += 1) {
        await sleep(stepMs, undefined, { signal });
        if (progressToken !== undefined) {
          const message = `Shelf ${shelf} of ${shelves}`;
          const params = { progressToken, progress: shelf, total: shelves, message };
          await sendNotification({ method: 'notifications/progress', params });
        }
      }
      return text(`Exported ${shop.all().length} books from ${shelves} shelves.`);
    },
  );
};
