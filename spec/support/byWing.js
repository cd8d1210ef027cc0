/**
 * What `npm test` and `npm run test:core` print: a line for each wing that is done, each failure once, when it occurs, and at the end the slowest
 * specs. Jest loads reporters as they are, so this is no TypeScript.
 */
const { relative, sep } = require('node:path');

const SLOWEST = 10;
const SLOW_MS = 100;

/** A log that nobody watches live gets a sign of life as often as this. */
const QUIET_MS = 30_000;

const secondsOf = (ms) => `${(ms / 1000).toFixed(1)} s`;

/** The message of an error without its stack; of a stream that does not match, only its marbles. */
const messageOf = (text) =>
  text
    .split('\n')
    .filter((line) => !/^\s+at .*[):\d]$/.test(line))
    .join('\n')
    .replace(/^MarbleError: .*\n/, '')
    .trimEnd();

const indented = (text) => text.replace(/^(?! {2}|$)/gm, '  ');

/** The line of the spec that failed, as `:12`; empty if the stack does not name the file. */
const lineIn = (path, message) => {
  const place = message.slice(message.indexOf(`${path}:`)).match(/:\d+/);
  return message.includes(`${path}:`) ? place[0] : '';
};

/** The failures of one file, as blocks of lines: each has the name of the spec, then its message. */
const failuresOf = (path, { testResults, testExecError }) => {
  if (testExecError) return [`${path}\n${indented(messageOf(testExecError.message))}`];
  return testResults
    .filter(({ status }) => status === 'failed')
    .map(({ ancestorTitles, title, failureMessages }) =>
      [
        [`${path}${lineIn(path, failureMessages.join('\n'))}`, ...ancestorTitles, title].join(' › '),
        ...failureMessages.map((one) => indented(messageOf(one))),
      ].join('\n'),
    );
};

/** The specs that took longest, each as one line. */
const slowestOf = (specs) =>
  specs
    .filter(({ ms }) => ms >= SLOW_MS)
    .sort((a, b) => b.ms - a.ms)
    .slice(0, SLOWEST)
    .map(({ ms, name }) => `  ${secondsOf(ms).padStart(7)}  ${name}`);

const lineOf = (wing, { specs, failed, begun, ended }) =>
  [
    wing.padEnd(14),
    `${String(specs).padStart(6)} specs`,
    secondsOf(ended - begun).padStart(8),
    failed > 0 ? `  ${failed} failed` : '',
  ]
    .join(' ')
    .trimEnd();

/** Lines below each other; in a terminal with a status line below them, which is replaced by the next. */
const printerTo = (stream) => ({
  print: (text) => stream.write(`${stream.isTTY ? '\r\x1b[K' : ''}${text}\n`),
  status: stream.isTTY ? (text) => stream.write(`\r\x1b[K${text.slice(0, stream.columns - 1)}`) : undefined,
});

module.exports = class {
  wings = new Map();
  specs = [];
  done = 0;

  constructor({ rootDir }, { printer = printerTo(process.stderr), now = Date.now } = {}) {
    Object.assign(this, { rootDir, ...printer, now, printed: now() });
  }

  /** `longFirst.js` leaves the paths of the run. */
  onRunStart() {
    for (const path of globalThis.specPaths) {
      const { wing } = this.placeOf(path);
      const { files } = this.wings.get(wing) ?? { files: 0 };
      this.wings.set(wing, { files: files + 1, specs: 0, failed: 0 });
    }
  }

  onTestFileStart({ path }) {
    const { wing, file } = this.placeOf(path);
    this.wings.get(wing).begun ??= this.now();
    this.status?.(`${this.done} of ${globalThis.specPaths.length} files, now ${file}`);
  }

  onTestFileResult({ path }, result) {
    const { wing, file } = this.placeOf(path);
    const failures = failuresOf(file, result);
    for (const failure of failures) this.line(`${failure}\n`);
    const ran = result.testResults.filter(({ status }) => status !== 'pending');
    const state = this.wings.get(wing);
    state.files -= 1;
    state.specs += ran.length;
    state.failed += failures.length;
    state.ended = this.now();
    this.done += 1;
    this.specs.push(...ran.map(({ duration, fullName }) => ({ ms: duration ?? 0, name: `${file} › ${fullName}` })));
    if (state.files === 0) this.line(lineOf(wing, state));
    else if (!this.status && this.now() - this.printed > QUIET_MS)
      this.line(`  … ${this.done} of ${globalThis.specPaths.length} files`);
  }

  onRunComplete(_contexts, { numTotalTests, numPendingTests, numFailedTests, numRuntimeErrorTestSuites, startTime }) {
    const failed = numFailedTests + numRuntimeErrorTestSuites;
    const time = secondsOf(this.now() - startTime);
    const slowest = slowestOf(this.specs);
    if (slowest.length > 0) this.line(`\nSlowest specs:\n${slowest.join('\n')}`);
    this.line(
      `\n${numTotalTests - numPendingTests} specs in ${time}, ${failed === 0 ? 'all passed' : `${failed} failed`}`,
    );
  }

  line(text) {
    this.print(text);
    this.printed = this.now();
  }

  /** A wing, or a room of `spec/wire`, which takes half of the time. */
  placeOf(path) {
    const file = relative(this.rootDir, path).split(sep).join('/');
    const [, wing, room] = file.split('/');
    if (room === undefined) return { file, wing: 'structure' };
    return { file, wing: wing === 'wire' ? `${wing}/${room}` : wing };
  }
};
