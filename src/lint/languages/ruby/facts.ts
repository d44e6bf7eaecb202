import { factsByName } from '../shared/facts.ts';

/** What the rules ask about Ruby. */
export const rubyFacts = factsByName({
  stdout: /^(?:puts|print|p|pp|printf)$|^\$stdout\.(?:puts|print|write)$|^STDOUT\.(?:puts|print|write)$/,
  exit: /^(?:Kernel\.|Process\.)?(?:exit!?|abort)$/,
  stdio: /^StdioTransport$/,
  http: /^(?:StreamableHTTPTransport|rack_middleware|mount_in_rails)$/,
  trace: /^(?:backtrace|full_message)$/,
  names: /^(?:puts|print|p|pp|printf|write|exit!?|abort)$/,
});
