import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';

/** Until a listener that has ended is started again: its port may be another window's, which listens for the same client. */
const RESTART_MS: readonly number[] = [1000, 5000, 15_000];
const STARTUP_MS = 10_000;
const MAX_SAID = 4096;

/** A server over HTTP, and where its tap is to listen. */
export interface ListenerOptions {
  readonly url: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly log: string;
  readonly server: string;
  /** What clients must send in the header `Faultline-Token`. */
  readonly token?: string;
}

/** Starts taps that listen, each a process of its own, and starts one that ends again for as long as it is wanted. */
export class HttpListeners implements Disposable {
  private readonly listeners = new Map<string, Listener>();
  private readonly script: string;
  private readonly clock: Clock;

  constructor(extensionFolder: string, clock: Clock) {
    this.script = path.join(extensionFolder, 'dist', 'tap-entry.js');
    this.clock = clock;
  }

  /**
   * Listens under this key; one that does already goes on. Gives the port once it listens; `undefined` when it has not after
   * ten seconds, or has ended: it is tried again meanwhile.
   */
  listen(key: string, options: ListenerOptions): Promise<number | undefined> {
    const known = this.listeners.get(key);
    if (known !== undefined && JSON.stringify(known.options) === JSON.stringify(options)) {
      return known.port;
    }
    known?.dispose();
    const listener = new Listener(this.script, options, this.clock);
    this.listeners.set(key, listener);
    return listener.port;
  }

  /** Ends all but these. */
  keepOnly(keys: ReadonlySet<string>): void {
    for (const [key, listener] of [...this.listeners]) {
      if (!keys.has(key)) {
        listener.dispose();
        this.listeners.delete(key);
      }
    }
  }

  keys(): readonly string[] {
    return [...this.listeners.keys()];
  }

  dispose(): void {
    this.keepOnly(new Set());
  }
}

class Listener implements Disposable {
  readonly options: ListenerOptions;
  /** Of the latest start. */
  port: Promise<number | undefined>;
  private readonly script: string;
  private readonly clock: Clock;
  private child: ChildProcess | undefined;
  private timer: Disposable | undefined;
  private isDisposed = false;
  private failures = 0;

  constructor(script: string, options: ListenerOptions, clock: Clock) {
    this.script = script;
    this.options = options;
    this.clock = clock;
    this.port = this.start();
  }

  dispose(): void {
    this.isDisposed = true;
    this.timer?.dispose();
    this.child?.kill('SIGTERM');
  }

  private start(): Promise<number | undefined> {
    const { url, port, log, server, token } = this.options;
    const args = ['--http', url, '--listen', `127.0.0.1:${port}`, '--log', log, '--server', server];
    const secret = token === undefined ? {} : { FAULTLINE_TAP_TOKEN: token };
    const child = fork(this.script, args, {
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', ...secret },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.child = child;
    return new Promise((resolve) => {
      const limit = this.clock.setTimer(STARTUP_MS, () => resolve(undefined));
      let said = '';
      child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        said = (said + text).slice(-MAX_SAID);
        const listening = /listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(said);
        if (listening !== null) {
          this.failures = 0;
          limit.dispose();
          resolve(Number(listening[1]));
        }
      });
      const ended = () => {
        limit.dispose();
        resolve(undefined);
        if (this.child === child) {
          this.child = undefined;
          this.startLater();
        }
      };
      child.once('error', ended);
      child.once('exit', ended);
    });
  }

  private startLater(): void {
    if (!this.isDisposed) {
      const delayMs = RESTART_MS[Math.min(this.failures, RESTART_MS.length - 1)] ?? 0;
      this.failures += 1;
      this.timer = this.clock.setTimer(delayMs, () => {
        this.port = this.start();
      });
    }
  }
}
