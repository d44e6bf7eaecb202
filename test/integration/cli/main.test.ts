import { describe, expect, it } from 'vitest';
import { VERSION } from '../../../src/protocol/version.ts';
import { runCli } from './runCli.ts';

/** Runs before the script, which then believes to be on that Node.js. */
const pretending = (node: string) =>
  `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'${node}'}})`;

describe('faultline', () => {
  it('tells its version', async () => {
    expect(await runCli(['--version'])).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: '' });
  });

  it.each([[['--help']], [['help', 'lint']]])('helps with %j', async (args) => {
    const { code, stdout, stderr } = await runCli(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Usage: faultline');
  });

  it.each([
    [['no-such-command']],
    [['call', '--no-such-option']],
    [['lint', '--confidence', 'total']],
    [['call', 'a', 'b', '--timeout-ms', 'soon']],
  ])('could not run with %j', async (args) => {
    const { code, stdout, stderr } = await runCli(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('error:');
  });

  it.each(['20.19.0', '22.12.0'])('says which Node.js it needs instead of failing on %s', async (node) => {
    const { code, stdout, stderr } = await runCli(['--version'], { nodeArgs: ['--import', pretending(node)] });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`faultline needs Node.js 22.13 or later; this is ${node}`);
  });

  it('runs on the oldest Node.js that it names', async () => {
    const { code } = await runCli(['--version'], { nodeArgs: ['--import', pretending('22.13.0')] });
    expect(code).toBe(0);
  });
});
