// @ts-check
// Asks the registry of npm whether a package that is shipped is known to be dangerous. It has to be asked: unlike everything else
// that CI runs, this needs the network, and says so where there is none.
import { spawnSync } from 'node:child_process';
import process from 'node:process';

const { stdout, error } = spawnSync('npm', ['audit', '--omit', 'dev', '--audit-level', 'high', '--json'], {
  encoding: 'utf8',
  shell: process.platform === 'win32',
});
const answer = read(stdout ?? '');
const counts = answer?.metadata?.vulnerabilities;
if (counts === undefined) {
  const why = error?.message || answer?.error?.summary || answer?.message || 'it did not answer';
  process.stderr.write(`npm audit: the registry could not be asked, so nothing is known: ${why}\n`);
  process.exitCode = 2;
} else {
  for (const { name, severity, range } of Object.values(answer?.vulnerabilities ?? {})) {
    process.stderr.write(`${severity}: ${name} ${range}\n`);
  }
  const bad = (counts.high ?? 0) + (counts.critical ?? 0);
  process.stderr.write(`npm audit: ${bad} high or critical, ${counts.total ?? 0} in all, of what is shipped\n`);
  process.exitCode = bad > 0 ? 1 : 0;
}

/**
 * @typedef {object} Answer
 * @property {string} [message]
 * @property {{ summary?: string }} [error]
 * @property {Record<string, { name: string, severity: string, range: string }>} [vulnerabilities]
 * @property {{ vulnerabilities?: { high?: number, critical?: number, total?: number } }} [metadata]
 */

/**
 * @param {string} text
 * @returns {Answer | undefined}
 */
function read(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
