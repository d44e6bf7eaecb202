/** Why nothing is exported to OpenTelemetry, and how an export goes. English; the host translates them. */
export const otlpTexts = {
  'otlp.settings.endpoint': '"{value}" is no endpoint: it takes a URL that begins with http:// or https://.',
  'otlp.settings.userinfo': 'The endpoint has a user name or a password in it; they belong into a header.',
  'otlp.settings.protocol': '"{value}" is no protocol: it takes http/protobuf, http/json or grpc.',
  'otlp.settings.pairs': '{variable} takes name=value pairs with commas between them.',
  'otlp.settings.file': '{path} cannot be read: {detail}',
  'otlp.settings.secret': 'No secret is kept under the name {name}, which a header asks for.',
  'otlp.thread.failed': 'The part that exports has failed: {detail}',
  'otlp.lost.queue_full': 'Spans that found no room in the queue: {count}.',
  'otlp.lost.rejected': 'Spans that the collector refused: {count}.',
  'otlp.lost.behind': 'Events that passed faster than they could be exported: {count}.',
  'otlp.lost.closed': 'Spans that could not be sent before the end: {count}.',
  'otlp.off': 'Nothing is exported to OpenTelemetry: {detail}',
  'otlp.waiting': 'The collector takes nothing for now, and what passes waits for it: {detail}',
  'otlp.lost.some': 'Not everything reached the collector: {detail}',
} as const satisfies Readonly<Record<string, string>>;
