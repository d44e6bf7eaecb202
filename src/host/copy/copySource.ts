import type { CopySource } from '../../core/export/copyAs/copySource.ts';
import { isVolatile } from '../../core/replay/volatileParts.ts';
import type { HttpDefinition, ServerDefinition, StdioDefinition } from '../../protocol/definition.ts';
import type { MessageBody } from '../../protocol/events.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import { isObject, memberOf } from '../../protocol/json.ts';
import type { JsonObject, JsonRpcErrorObject, JsonValue } from '../../protocol/jsonrpc.ts';
import { nameInId } from '../../protocol/serverId.ts';
import type { ReadableLog, Recording } from '../recording.ts';
import { folderVariables } from '../servers/prepare.ts';

/** Everything of an exchange that a copy of it needs. `redact` replaces secrets that stand in a definition itself. */
export function copySource(
  recording: Recording<ReadableLog>,
  exchange: Exchange,
  definition: ServerDefinition | undefined,
  redact: (text: string) => string = (text) => text,
): CopySource {
  const request = messageAt(recording, exchange.key);
  const response = exchange.endSeq === undefined ? undefined : messageAt(recording, exchange.endSeq);
  const params = memberOf(parsed(request), 'params');
  const answer = parsed(response);
  const result = memberOf(answer, 'result');
  const error = memberOf(answer, 'error');
  const http = httpOf(recording, exchange);
  const end = exchange.endSeq === undefined ? undefined : recording.log.get(exchange.endSeq)?.body;
  return {
    server: {
      name: definition?.name ?? nameInId(exchange.server),
      ...(definition === undefined ? {} : { transport: transportOf(definition, redact) }),
      isInMcpJson: definition?.source.kind === 'vscode-mcp-json',
    },
    initiator: exchange.initiator,
    method: exchange.method,
    ...(isObject(params) ? { params } : {}),
    ...(request === undefined ? {} : { requestRaw: request.raw }),
    ...(response === undefined ? {} : { responseRaw: response.raw }),
    ...(http === undefined ? {} : { http }),
    outcome: exchange.kind === 'request' ? exchange.verdict?.outcome : undefined,
    ...(result === undefined ? {} : { result }),
    ...(isError(error) ? { error } : {}),
    ...(end?.kind === 'local-end' && end.end.kind === 'timeout' ? { timeoutMs: end.end.afterMs } : {}),
    isVolatile,
  };
}

function messageAt(recording: Recording<ReadableLog>, seq: number): MessageBody | undefined {
  const body = recording.log.get(Math.floor(seq))?.body;
  return body?.kind === 'message' ? body : undefined;
}

function parsed(body: MessageBody | undefined): JsonValue | undefined {
  try {
    return body === undefined ? undefined : (JSON.parse(body.raw) as JsonValue);
  } catch {
    return undefined;
  }
}

function isError(value: JsonValue | undefined): value is JsonObject & JsonRpcErrorObject {
  return isObject(value) && typeof value['code'] === 'number' && typeof value['message'] === 'string';
}

/** The POST that carried the request. */
function httpOf(recording: Recording<ReadableLog>, { key, related }: Exchange): CopySource['http'] {
  const id = messageAt(recording, key)?.http;
  for (const seq of related) {
    const body = recording.log.get(seq)?.body;
    if (body?.kind === 'http' && body.method === 'POST' && (id === undefined || body.id === id)) {
      return { url: body.url, headers: body.requestHeaders };
    }
  }
  return undefined;
}

/** The definition without its secrets, and with the folders that only VS Code knows filled in. */
function transportOf(definition: ServerDefinition, redact: (text: string) => string): StdioDefinition | HttpDefinition {
  const { transport } = definition;
  const folders = folderVariables(definition);
  const plain = (text: string) =>
    redact(
      text.replaceAll(
        /\$\{workspaceFolder(?::([^{}]*))?\}/g,
        (whole, name: string | undefined) =>
          (name === undefined ? folders.workspaceFolder : folders.workspaceFolders?.[name]) ?? whole,
      ),
    );
  if (transport.type === 'http') {
    return { ...transport, url: plain(transport.url) };
  }
  const { cwd } = transport;
  return {
    ...transport,
    command: plain(transport.command),
    args: transport.args.map(plain),
    ...(cwd === undefined ? {} : { cwd: plain(cwd) }),
  };
}
