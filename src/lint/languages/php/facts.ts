import { factsByName } from '../shared/facts.ts';

/** What the rules ask about PHP. */
export const phpFacts = factsByName({
  stdout: /^(?:echo|print|printf|print_r|var_dump)$/,
  exit: /^(?:exit|die)$/,
  stdio: /^Stdio(?:Server)?Transport$/,
  http: /^(?:Streamable)?Http(?:Server)?Transport$/,
  trace: /^getTrace(?:AsString)?$/,
  names: /^(?:echo|print|printf|print_r|var_dump|exit|die)$/,
});
