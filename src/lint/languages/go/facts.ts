import { factsByName } from '../shared/facts.ts';

/** What the rules ask about Go. A panic ends the server, unless it recovers by itself. */
export const goFacts = factsByName({
  stdout: /^fmt\.Print(?:f|ln)?$|^os\.Stdout\.Write(?:String)?$/,
  exit: /^os\.Exit$|^log\.(?:Fatal(?:f|ln)?|Panic(?:f|ln)?)$|^panic$/,
  network: /^http\.(?:Get|Head|Post|PostForm)$|^http\.DefaultClient\.(?:Do|Get|Head|Post|PostForm)$/,
  process: /^exec\.Command$/,
  stdio: /^(?:ServeStdio|NewStdioServer|StdioTransport|NewStdioTransport)$/,
  http: /^New(?:SSE|StreamableHTTP)(?:Server|Handler)$/,
  trace: /^(?:Stack|PrintStack)$/,
  names:
    /^(?:F?Print(?:f|ln)?|Write(?:String)?|Exit|Fatal(?:f|ln)?|Panic(?:f|ln)?|panic|Do|Get|Head|Post|PostForm|Command)$/,
});
