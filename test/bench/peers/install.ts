import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { progress } from '../bench.ts';

/** What the comparisons are with, of the npm registry, each in the one version that its numbers speak of. */
export const PEERS = {
  '@modelcontextprotocol/inspector': '2.12.0',
  'mcp-proxy': '6.7.19',
  supergateway: '4.0.0',
  'mcp-remote': '0.15.1',
  '@apify/mcpc': '0.2.6',
  '@wong2/mcp-cli': '2.0.0',
} as const;

/** A program that one of them brings. */
export type PeerProgram = 'mcp-inspector' | 'mcp-proxy' | 'supergateway' | 'mcp-remote' | 'mcpc' | 'mcp-cli';

/** Outside of the project, and kept for the next time. */
const folder = path.join(os.tmpdir(), 'faultline-peers');

/** Where they may write what others write into the home of a person. */
export const peersHome = path.join(folder, 'home');

/** Installs them where they are not yet; false where npm cannot. No script of theirs is run. */
export function installPeers(): boolean {
  const manifest = JSON.stringify({ private: true, dependencies: PEERS });
  const file = path.join(folder, 'package.json');
  const lock = path.join(folder, 'node_modules', '.package-lock.json');
  mkdirSync(peersHome, { recursive: true });
  if (existsSync(lock) && existsSync(file) && readFileSync(file, 'utf8') === manifest) {
    return true;
  }
  writeFileSync(file, manifest);
  progress(`installing ${Object.keys(PEERS).join(', ')} into ${folder}`);
  const flags = ['--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', ['install', ...flags, '--prefer-offline'], {
    cwd: folder,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0) {
    progress('npm cannot install them: nothing to stand beside');
  }
  return status === 0;
}

/** The file of such a program, once they are installed. */
export function peerProgram(name: PeerProgram): string {
  return path.join(folder, 'node_modules', '.bin', name);
}

/** The launcher of the Inspector's page, which its program starts only by way of another process. */
export function inspectorLauncher(): string {
  return path.join(folder, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');
}
