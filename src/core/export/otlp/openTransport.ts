import { readFile } from 'node:fs/promises';
import { messageOf } from '../../../base/messageOf.ts';
import { createHttpTransport } from './httpTransport.ts';
import { encodingOf, type SettingsProblem, type SignalSettings } from './settings.ts';
import type { Signal, Transport, TransportSettings } from './transport.ts';

/** The transport that the settings ask for, which connects when it is first used; gRPC is loaded only where it is wanted. */
export async function openTransport(
  signal: Signal,
  settings: SignalSettings,
  version: string,
): Promise<Transport | SettingsProblem> {
  const { url, headers, compression, protocol } = settings;
  const tls: Record<string, string> = {};
  const files = { ca: settings.certificate, cert: settings.clientCertificate, key: settings.clientKey };
  for (const [name, path] of Object.entries(files)) {
    if (path !== undefined) {
      try {
        tls[name] = await readFile(path, 'utf8');
      } catch (error) {
        const detail = messageOf(error);
        return { code: 'otlp.settings.file', args: { path, detail } };
      }
    }
  }
  const opened: TransportSettings = { url, headers, compression, tls, userAgent: `faultline/${version}` };
  if (protocol !== 'grpc') {
    return createHttpTransport(encodingOf(protocol), opened);
  }
  const { createGrpcTransport } = await import('./grpcTransport.ts');
  return createGrpcTransport(signal, opened);
}
