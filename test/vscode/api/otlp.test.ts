import assert from 'node:assert/strict';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import { until } from './support.ts';

interface Span {
  readonly name: string;
  readonly spanId: string;
  readonly traceId: string;
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[];
}

interface Export {
  readonly resourceSpans?: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[];
}

const attribute = (span: Span, name: string) => span.attributes.find(({ key }) => key === name)?.value.stringValue;

describe('the export to OpenTelemetry', () => {
  const settings = vscode.workspace.getConfiguration('faultline.otlp');
  const set = (name: string, value: unknown) => settings.update(name, value, vscode.ConfigurationTarget.Global);
  const spans: Span[] = [];
  const server = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { resourceSpans = [] } = JSON.parse(Buffer.concat(parts).toString()) as Export;
      spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
      response.end('{}');
    });
  });

  before(async () => {
    await vscode.extensions.getExtension('faultline.faultline')?.activate();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await set('endpoint', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await set('protocol', 'http/json');
    await set('compression', 'none');
    await set('injectTraceparent', true);
    await set('enabled', true);
  });

  after(async () => {
    for (const name of ['enabled', 'injectTraceparent', 'compression', 'protocol', 'endpoint']) {
      await set(name, undefined);
    }
    server.closeAllConnections();
    server.close();
  });

  it('sends what this window calls, from a thread of its own, and says how it goes', async () => {
    await vscode.commands.executeCommand('faultline.runDemo');
    const outcomes = () => new Set(spans.map((span) => attribute(span, 'faultline.outcome')));
    await until(outcomes, (seen) =>
      ['success', 'tool_error', 'silent_error', 'protocol_error'].every((kind) => seen.has(kind)),
    );
    const failed = spans.find((span) => attribute(span, 'error.type') === 'tool_error');
    assert.match(failed?.name ?? '', /^tools\/call /);
    assert.equal(attribute(failed as Span, 'faultline.origin'), 'client');
    assert.equal(new Set(spans.map(({ spanId }) => spanId)).size, spans.length);

    // A batch is counted as sent once its answer is back, which is after the collector has it.
    const report = await until(
      async () => {
        await vscode.commands.executeCommand('faultline.reportDebugInformation');
        return vscode.window.activeTextEditor?.document.getText() ?? '';
      },
      (text) => /## OpenTelemetry\n\n- http\/json, \w+: [1-9]\d* spans sent/.test(text),
    );
    assert.match(report, /- faultline\.otlp\.endpoint: set\n/);
    const section = /## OpenTelemetry\n([\s\S]*?)\n## /.exec(report)?.[1] ?? '';
    assert.ok(!section.includes('127.0.0.1'), 'an address is in the report');
  });

  it('sends nothing once it is off', async () => {
    await set('enabled', false);
    // What is left goes first.
    await new Promise((resolve) => setTimeout(resolve, 3000));
    const count = spans.length;
    await vscode.commands.executeCommand('faultline.runDemo');
    await vscode.commands.executeCommand('faultline.reportDebugInformation');
    assert.match(vscode.window.activeTextEditor?.document.getText() ?? '', /## OpenTelemetry\n\n- off\n/);
    assert.equal(spans.length, count);
  });
});
