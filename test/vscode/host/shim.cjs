// Given to VS Code as the test entry, in the extension host. The page's own report cannot be trusted: a crash of the extension host and
// process.exit in a test both look like success there. So this runs the real entry, copies the console to a file that
// codeWrapper.ts follows, and writes down how it ended.
const fs = require('node:fs');
const util = require('node:util');

const { FAULTLINE_SHIM_OUTPUT: output, FAULTLINE_SHIM_RESULT: resultFile, FAULTLINE_SHIM_ENTRY: entry } = process.env;
const descriptor = fs.openSync(output, 'a');
fs.writeFileSync(`${output}.started`, '');

// VS Code logs a failed run once more by itself.
let isOver = false;
for (const name of ['log', 'info', 'warn', 'error', 'debug']) {
  const original = console[name];
  const copy = (...args) => {
    if (!isOver) {
      fs.writeSync(descriptor, `${util.format(...args)}\n`);
    }
    original.apply(console, args);
  };
  // VS Code made it an accessor, which ignores assignment.
  Object.defineProperty(console, name, { configurable: true, get: () => copy, set: () => undefined });
}

function finish(result) {
  isOver = true;
  fs.writeFileSync(resultFile, JSON.stringify(result));
}

exports.run = async () => {
  try {
    await require(entry).run();
    finish({ isPassed: true });
  } catch (error) {
    const text = String(error?.stack ?? error);
    console.error(text);
    finish({ isPassed: false, error: text });
    throw error;
  }
};
