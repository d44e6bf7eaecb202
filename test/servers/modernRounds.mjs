// Asks for input before it answers a call, in as many rounds as argv says (default 1), and gives back what it was told.
import process from 'node:process';
import { complete, serveModern } from './support/modern.mjs';

const rounds = Number(process.argv[2] ?? 1);
serveModern({
  onCall: ({ params }) => {
    const round = Number(params.requestState ?? 0);
    return round < rounds
      ? {
          result: {
            resultType: 'input_required',
            inputRequests: {
              name: { method: 'elicitation/create', params: { mode: 'form', message: 'Who?', requestedSchema: {} } },
            },
            requestState: String(round + 1),
          },
        }
      : { result: complete(JSON.stringify([params.inputResponses, params.arguments])) };
  },
});
