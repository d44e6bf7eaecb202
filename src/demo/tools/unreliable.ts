import { z } from 'zod';
import { errorMessage, type RawTool, resultMessage, text } from '../toolGroup.ts';

/** Fails twice in ways that are worth a retry, then answers; and then the same again, so that a replay can show it. */
const flakyLookup: RawTool = {
  name: 'flaky_lookup',
  title: 'Look up at the publisher',
  description: 'A book’s publisher, from a catalogue that is often slow. Safe to ask again.',
  inputSchema: { isbn: z.string() },
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: true },
  answer: (call) => {
    const { isbn } = call.args;
    const attempt = call.shop.countVisit(`flaky_lookup ${String(isbn)}`) % 3;
    if (attempt === 1) {
      call.send(errorMessage(call, -32603, 'The publisher’s catalogue is not reachable'));
    } else if (attempt === 2) {
      call.send(resultMessage(call, text(`${String(isbn)} is published by Ace Books, New York`)));
    }
  },
};

/** `timeout` of a call that may have had an effect: no client may repeat it unasked. */
const askSupplier: RawTool = {
  name: 'ask_supplier',
  title: 'Ask supplier',
  description: 'Send the supplier a message and wait for the reply.',
  inputSchema: { message: z.string() },
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  answer: () => undefined,
};

/** `protocol_error`: failures that the model could correct or should know of, sent where it never sees them. */
const getSales: RawTool = {
  name: 'get_sales',
  title: 'Get sales',
  description: 'Copies sold in a month.',
  inputSchema: { month: z.string().describe('YYYY-MM') },
  annotations: { readOnlyHint: true, openWorldHint: false },
  answer: (call) => {
    const { month } = call.args;
    if (typeof month !== 'string' || !/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) {
      call.send(errorMessage(call, -32602, `Invalid params: month "${String(month)}" is not a month written YYYY-MM`));
    } else if (month < '2020-01') {
      call.send(errorMessage(call, -32603, `Ledger of ${month} cannot be read`));
    } else {
      call.send(resultMessage(call, text(`${month}: 214 copies sold`)));
    }
  },
};

/** `task_pending`: a task handle (2025-11-25, "Tasks") for work that goes on. */
const appraiseCollection: RawTool = {
  name: 'appraise_collection',
  title: 'Appraise collection',
  description: 'Have a collection of old books appraised by a person. Takes hours; answers with a task.',
  inputSchema: { boxes: z.number().int().min(1) },
  annotations: { readOnlyHint: true, openWorldHint: true },
  answer: (call) => {
    const at = '2026-11-30T09:00:00Z';
    const task = {
      taskId: `appraisal-${call.shop.countVisit('appraise_collection') + 1}`,
      status: 'working',
      statusMessage: 'Waiting for an appraiser',
      createdAt: at,
      lastUpdatedAt: at,
      ttl: 86_400_000,
      pollInterval: 60_000,
    };
    call.send(resultMessage(call, { task }));
  },
};

/** Failures of time and place, each a kind of its own. */
export const unreliableTools: readonly RawTool[] = [flakyLookup, askSupplier, getSales, appraiseCollection];
