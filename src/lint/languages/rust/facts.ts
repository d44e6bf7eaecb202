import { factsByName } from '../shared/facts.ts';

/** What the rules ask about Rust. A panic ends the task, not the server. */
export const rustFacts = factsByName({
  stdout: /^print(?:ln)?!$/,
  exit: /^(?:std\.)?process\.(?:exit|abort)$/,
  network: /^reqwest\.(?:blocking\.)?get$/,
  stdio: /^(?:stdio|StdioTransport)$/,
  http: /^(?:StreamableHttpService|SseServer)$/,
  trace: /^(?:backtrace|force_capture)$/,
  names: /^(?:print(?:ln)?!|exit|abort|get)$/,
});
