// @ts-check
// `npm test`: everything that a change has to pass. `npm test -- --only unit,api` runs some stages.
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { bootstrap, nodeFlags, say } from './lib/bootstrap.mjs';
import { isInterrupted, run, stopChildrenOnSignals } from './lib/processes.mjs';

await bootstrap(fileURLToPath(import.meta.url), async (args) => {
  stopChildrenOnSignals();
  const { runStage, stages, summary } = await import('./lib/stages.mjs');
  const names = stages.map(({ name }) => name);
  const only = args[0] === '--only' ? (args[1] ?? '').split(',') : names;
  const unknown = only.filter((name) => !names.includes(name));
  if ((args.length > 0 && args[0] !== '--only') || unknown.length > 0) {
    say(`Usage: npm test [-- --only ${names.join(',')}]`);
    return 2;
  }
  const chosen = stages.filter(({ name }) => only.includes(name));
  const vscode = chosen.some(({ needsVscode }) => needsVscode) ? fetchVscode() : undefined;
  const results = [];
  for (const stage of chosen) {
    say(`\n── ${stage.name} ──`);
    const why = stage.needsVscode === true ? await vscode?.ready() : undefined;
    if (isInterrupted()) {
      break;
    }
    results.push(why === undefined ? await runStage(stage) : { name: stage.name, isPassed: false, ms: 0, why });
  }
  if (isInterrupted()) {
    return 130;
  }
  process.stdout.write(`\n${summary(results)}\n`);
  return results.every(({ isPassed }) => isPassed) ? 0 : 1;
});

/**
 * Fetches VS Code and the browser beside the stages that do not need them. `ready()` resolves when they are there, or with the
 * reason why not; what there is to read is shown only when somebody waits for it or it failed.
 */
function fetchVscode() {
  let log = '';
  let isShown = false;
  const setup = fileURLToPath(new URL('./setup.mjs', import.meta.url));
  const onOutput = (/** @type {string} */ text) => {
    if (isShown) {
      process.stderr.write(text);
    } else {
      log += text;
    }
  };
  let isOver = false;
  const ended = run(process.execPath, [...nodeFlags, setup], { onOutput }).finally(() => {
    isOver = true;
  });
  return {
    ready: async () => {
      if (!isOver && !isShown) {
        say('Waiting for VS Code and the browser …');
        process.stderr.write(log);
        isShown = true;
      }
      const code = await ended;
      if (code !== 0 && !isShown) {
        process.stderr.write(log);
        isShown = true;
      }
      return code === 0 ? undefined : 'VS Code or the browser could not be had, see above';
    },
  };
}
