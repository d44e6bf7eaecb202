import { afterEach } from 'vitest';
import { openWorkbenches } from './workbench.ts';

// What a failed test leaves to look at.
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') {
    return;
  }
  const name = task.name.replace(/\W+/g, '-');
  for (const workbench of openWorkbenches) {
    process.stderr.write(`${await workbench.screenshot(`ui/failed-${name}`)}\n${workbench.errors().join('\n')}\n`);
  }
});
