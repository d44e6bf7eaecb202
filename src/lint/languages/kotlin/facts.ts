import { factsByName } from '../shared/facts.ts';

/** What the rules ask about Kotlin. */
export const kotlinFacts = factsByName({
  stdout: /^(?:print|println|System\.out\.(?:print(?:ln|f)?|format|write))$/,
  exit: /^(?:(?:kotlin\.system\.)?exitProcess|System\.exit)$/,
  stdio: /^StdioServerTransport(?:Provider)?$/,
  http: /^(?:mcp|mcpStreamableHttp|mcpStatelessStreamableHttp|SseServerTransport|StreamableHttpServerTransport|(?:HttpServlet|WebFlux|WebMvc)\w*TransportProvider)$/,
  trace: /^(?:stackTraceToString|getStackTrace|stackTrace|getStackTraceAsString)$/,
  names: /^(?:print(?:ln|f)?|format|write|exit|exitProcess)$/,
});
