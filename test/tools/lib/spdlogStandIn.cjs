// Takes the place of VS Code's native log writer in the test server: appends lines to the same files.
const fs = require('node:fs');
const path = require('node:path');

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'critical'];
const infoLevel = 2;

class Logger {
  constructor(file) {
    this.file = file;
    this.level = infoLevel;
    levels.forEach((name, level) => {
      this[name] = (message) => this.write(name, level, message);
    });
  }
  write(name, level, message) {
    if (level < this.level) {
      return;
    }
    try {
      fs.appendFileSync(this.file, `${new Date().toISOString()} [${name}] ${message}\n`);
    } catch {
      // The folder of a run that is over may be gone.
    }
  }
  getLevel() {
    return this.level;
  }
  setLevel(level) {
    this.level = level;
  }
}
for (const name of ['setPattern', 'clearFormatters', 'flush', 'drop']) {
  Logger.prototype[name] = () => undefined;
}

async function create(_name, file) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  return new Logger(file);
}

exports.version = 1;
exports.setLevel = () => undefined;
exports.setFlushOn = () => undefined;
exports.Logger = Logger;
exports.createRotatingLogger = create;
exports.createAsyncRotatingLogger = create;
