// npm's `prepare` script. Builds what an install from git is to link: `npx git+…`, `npm install -g git+…`, as pre-commit does.
// npm installs the development dependencies of its clone first, but with the -g of the outer command, so that they end up
// nowhere (npm 10 and 11); they are installed here then. In a checkout nothing is done: `npm run build` does it.
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** npm, by the script that runs this, or esbuild. Ends the process when it fails. */
function run(script, ...args) {
  const { npm_config_global: _, ...env } = process.env;
  const { status } = spawnSync(process.execPath, [script, ...args], { cwd: root, env, stdio: 'inherit' });
  if (status !== 0) {
    process.exit(status ?? 1);
  }
}

async function isInstalled(name) {
  return await import(name).then(
    () => true,
    () => false,
  );
}

// npm marks what it does in a clone of its own, so that no clone prepares itself again.
const isClone = process.env._PACOTE_NO_PREPARE_ !== undefined || process.env.npm_config_global === 'true';

if (isClone && process.env.npm_execpath !== undefined) {
  if (!(await isInstalled('esbuild'))) {
    run(process.env.npm_execpath, 'ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund');
  }
  run('esbuild.mjs', '--production');
}
