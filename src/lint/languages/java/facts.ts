import { factsByName } from '../shared/facts.ts';

/** What the rules ask about Java. */
export const javaFacts = factsByName({
  stdout: /^System\.out\.(?:print(?:ln|f)?|format|write)$/,
  exit: /^System\.exit$/,
  stdio: /^StdioServerTransport(?:Provider)?$/,
  http: /^(?:HttpServlet|WebFlux|WebMvc)\w*TransportProvider$/,
  trace: /^(?:getStackTrace|getStackTraceAsString)$/,
  names: /^(?:print(?:ln|f)?|format|write|exit)$/,
});
