import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { demoDefinitions, demoHttpArgs, listeningUrl } from '../../src/demo/script.ts';
import type { ServerDefinition } from '../../src/protocol/definition.ts';
import { define, http, testServer } from '../integration/client/support.ts';
import { start as startModern } from '../servers/httpModern.mjs';
import { start as startWellBehaved } from '../servers/httpWellBehaved.mjs';

const demoPath = path.resolve(import.meta.dirname, '../../src/demo/server.ts');

/** How a server of the fleet is used. */
export interface Ship {
  readonly definition: ServerDefinition;
  /**
   * `control`: nothing is injected, so that nothing may fail. `faulted`: faults are injected. `dead`: it never comes up.
   */
  readonly role: 'control' | 'faulted' | 'dead';
  /** Tools that may be called twice, and tools that may not. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

export interface Fleet {
  readonly ships: readonly Ship[];
  close(): Promise<void>;
}

const READS = ['read_thing', 'list_things'];
const WRITES = ['write_thing', 'delete_thing'];

interface Served {
  readonly url: string;
  close(): Promise<void>;
}

/** Ten servers over stdio and HTTP, or as many of the first of them. Servers over HTTP are up when it resolves. */
export async function launchFleet(size: number): Promise<Fleet> {
  const closing: (() => Promise<void>)[] = [];
  const serve = async (starting: Promise<unknown>): Promise<string> => {
    const served = (await starting) as Served;
    closing.push(() => served.close());
    return served.url;
  };
  const ship = (definition: ServerDefinition, role: Ship['role'] = 'faulted'): Ship => ({
    definition,
    role,
    reads: READS,
    writes: WRITES,
  });
  const makers: readonly (() => Promise<Ship>)[] = [
    async () => ship(define('control', testServer('wellBehaved')), 'control'),
    async () => ship(define('plain', testServer('wellBehaved'))),
    async () => ship(define('json', http(await serve(startWellBehaved({ as: 'json' }))))),
    async () => ship(define('sse', http(await serve(startWellBehaved({ as: 'sse' }))))),
    async () => ship(define('modern', testServer('modern'))),
    async () => ship(define('httpModern', http(await serve(startModern({}))))),
    async () => ship(define('faulty', testServer('faulty', '3'))),
    async () => ship(define('dead', testServer('exitsAtOnce')), 'dead'),
    async () => demoShip(),
    async () => demoHttpShip(await serve(startDemoHttp())),
  ];
  const ships: Ship[] = [];
  for (const make of makers.slice(0, size)) {
    ships.push(await make());
  }
  return {
    ships,
    close: async () => {
      await Promise.all(closing.map((close) => close()));
    },
  };
}

function demoShip(): Ship {
  const [definition] = demoDefinitions({ serverPath: demoPath, execPath: process.execPath });
  if (definition === undefined) {
    throw new Error('the demo has no server');
  }
  return { definition, role: 'faulted', reads: ['search_books', 'get_author'], writes: ['order_book'] };
}

function demoHttpShip(url: string): Ship {
  return {
    definition: define('bookshop-http', http(url)),
    role: 'faulted',
    reads: ['search_books', 'get_author'],
    writes: ['order_book'],
  };
}

/** The demo server over HTTP in a process of its own, which ends when its stdin does. */
function startDemoHttp(): Promise<Served> {
  const child = spawn(process.execPath, ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', ...demoHttpArgs(demoPath)]);
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the demo server over HTTP exited with ${code}`)));
    urlOf(child, (url) => {
      resolve({
        url,
        close: () => {
          child.stdin?.end();
          return exited;
        },
      });
    });
  });
}

function urlOf(child: ChildProcess, found: (url: string) => void): void {
  child.stdout?.resume();
  if (child.stderr !== null) {
    createInterface({ input: child.stderr }).on('line', (line) => {
      const url = listeningUrl(line);
      if (url !== undefined) {
        found(url);
      }
    });
  }
}
