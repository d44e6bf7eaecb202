import { parseArgs } from 'node:util';
import { messageOf } from '../../base/messageOf.ts';

/** What `faultline tap` was asked to do. */
export type TapRequest =
  | { readonly kind: 'help' }
  | { readonly kind: 'wrong'; readonly problem: string }
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly record: TapRecord;
      readonly faults?: TapFaults;
    }
  | {
      readonly kind: 'http';
      readonly url: URL;
      readonly host: string;
      readonly port: number;
      readonly token: string | undefined;
      /** File of further certificate authorities. */
      readonly ca: string | undefined;
      readonly record: TapRecord;
      readonly faults?: TapFaults;
    };

/** Where and under which names it is recorded; absent what the tap is to find out. */
export interface TapRecord {
  readonly log: string | undefined;
  readonly session: string | undefined;
  readonly server: string | undefined;
  /** Exported to OpenTelemetry as it passes. */
  readonly otlp?: { readonly endpoint: string | undefined; readonly protocol: string | undefined };
}

/** Faults that are injected on purpose: the name of a profile or of a file, not read yet. */
export interface TapFaults {
  readonly name: string;
  readonly seed: number | undefined;
}

export const TAP_USAGE = `Usage: faultline tap [options] -- COMMAND [ARGS...]
       faultline tap [options] --http URL --listen HOST:PORT

Stand between an MCP client and its server, forward every byte as it is, and record what passes.
(stdio: ends as the server ends; http: exit 0 ended, 2 could not listen)

Options:
  --log FILE          record in this SQLite file; default the extension's log for this folder, or this user's own
  --session NAME      record under this session; default one of its own
  --server NAME       what the server is called; default what it calls itself
  --http URL          the server, over Streamable HTTP or HTTP+SSE
  --listen HOST:PORT  where the client is to connect; port 0 takes a free one
  --ca FILE           trust these certificate authorities as well, PEM
  --allow-remote      listen on an address that others can reach; needs a token
  --token TOKEN       what clients must send in the header Faultline-Token; default FAULTLINE_TAP_TOKEN of the environment
  --otlp              export what passes to OpenTelemetry as well: see OTEL_EXPORTER_OTLP_ENDPOINT and its like
  --otlp-endpoint URL the collector; default OTEL_EXPORTER_OTLP_ENDPOINT, or http://localhost:4318
  --otlp-protocol P   http/protobuf, http/json or grpc; default OTEL_EXPORTER_OTLP_PROTOCOL, or http/protobuf
  --faults FILE       inject the faults of a *.faultline-faults.json, or of a profile: flaky-network, rate-limited-api,
                      crash-loop, slow-tool
  --seed N            which of the calls meet them; default what FILE says, or 1
  -h, --help          show this
`;

const OTLP_PROTOCOLS: readonly string[] = ['http/protobuf', 'http/json', 'grpc'];

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i;

/** Reads the words after `faultline tap`. Never throws. */
export function readTapArgs(argv: readonly string[], env: Readonly<Record<string, string | undefined>>): TapRequest {
  const split = argv.indexOf('--');
  const own = split === -1 ? argv : argv.slice(0, split);
  const [command, ...args] = split === -1 ? [] : argv.slice(split + 1);
  let values: ReturnType<typeof parse>;
  try {
    values = parse(own);
  } catch (error) {
    return wrong(messageOf(error));
  }
  const { log, session, server, http, listen } = values;
  if (values.help === true) {
    return { kind: 'help' };
  }
  const { 'otlp-endpoint': endpoint, 'otlp-protocol': protocol } = values;
  if (protocol !== undefined && !OTLP_PROTOCOLS.includes(protocol)) {
    return wrong(`--otlp-protocol takes ${OTLP_PROTOCOLS.join(', ')}`);
  }
  const isExported = values.otlp === true || endpoint !== undefined || protocol !== undefined;
  const record = { log, session, server, ...(isExported ? { otlp: { endpoint, protocol } } : {}) };
  const seed = readSeed(values.seed);
  if (seed === 'wrong') {
    return wrong('--seed takes a whole number');
  }
  if (values.faults === undefined && seed !== undefined) {
    return wrong('--seed goes with --faults');
  }
  const faults = values.faults === undefined ? {} : { faults: { name: values.faults, seed } };
  if (http === undefined) {
    if (listen !== undefined) {
      return wrong('--listen goes with --http');
    }
    return command === undefined
      ? wrong('name the server: -- COMMAND ARGS, or --http URL --listen HOST:PORT')
      : { kind: 'stdio', command, args, record, ...faults };
  }
  if (command !== undefined) {
    return wrong('there is one server: either -- COMMAND or --http URL');
  }
  if (!URL.canParse(http) || !/^https?:$/.test(new URL(http).protocol)) {
    return wrong(`${http} is no http or https URL`);
  }
  const address = /^(?:\[([0-9a-f:.]+)\]|([^:\s]+)):(\d{1,5})$/i.exec(listen ?? '');
  const host = address?.[1] ?? address?.[2];
  if (host === undefined || Number(address?.[3]) > 65_535) {
    return wrong('--listen takes HOST:PORT, such as 127.0.0.1:8765');
  }
  const token = values.token ?? env['FAULTLINE_TAP_TOKEN'];
  if (!LOOPBACK.test(host) && values['allow-remote'] !== true) {
    return wrong(`${host} can be reached by others: say --allow-remote if they may`);
  }
  if (!LOOPBACK.test(host) && (token === undefined || token === '')) {
    return wrong('--allow-remote needs a --token');
  }
  return {
    kind: 'http',
    url: new URL(http),
    host,
    port: Number(address?.[3]),
    token: token === '' ? undefined : token,
    ca: values.ca,
    record,
    ...faults,
  };
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  return parseArgs({
    args: [...args],
    strict: true,
    allowPositionals: false,
    options: {
      log: text,
      session: text,
      server: text,
      http: text,
      listen: text,
      ca: text,
      token: text,
      otlp: { type: 'boolean' },
      'otlp-endpoint': text,
      'otlp-protocol': text,
      faults: text,
      seed: text,
      'allow-remote': { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  }).values;
}

/** Reads `--seed`: a whole number. */
export function readSeed(value: string | undefined): number | undefined | 'wrong' {
  if (value === undefined) {
    return undefined;
  }
  const seed = Number(value);
  return value.trim() !== '' && Number.isSafeInteger(seed) ? seed : 'wrong';
}

function wrong(problem: string): TapRequest {
  return { kind: 'wrong', problem };
}
