/**
 * What `npm run test:core` prints: a line for each wing that is done, each failure once, when it occurs, and at the end the slowest specs.
 * Jest loads reporters as they are, so this is no TypeScript.
 */
const { relative, sep } = require('node:path');

const SLOWEST = 5;

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

/** The failures of one file, as blocks of lines: each has the name of the spec, then its message. */
const failuresOf = (path, { testResults, testExecError }) => {
  if (testExecError) return [`${path}\n${indented(messageOf(testExecError.message))}`];
  return testResults
    .filter(({ status }) => status === 'failed')
    .map(({ ancestorTitles, title, failureMessages }) =>
      [[path, ...ancestorTitles, title].join(' › '), ...failureMessages.map((one) => indented(messageOf(one)))].join(
        '\n',
      ),
    );
};

/** The specs that took longest, each as one line. */
const slowestOf = (specs) =>
  [...specs]
    .sort((a, b) => b.ms - a.ms)
    .slice(0, SLOWEST)
    .map(({ ms, name }) => `  ${secondsOf(ms).padStart(6)}  ${name}`);

const lineOf = (wing, { specs, failed, begun, ended }) =>
  [
    wing.padEnd(10),
    `${String(specs).padStart(6)} specs`,
    secondsOf(ended - begun).padStart(7),
    failed > 0 ? `  ${failed} failed` : '',
  ]
    .join(' ')
    .trimEnd();

module.exports = class {
  /** Wings that have begun and are not printed yet, in the order in which they began. */
  wings = new Map();
  specs = [];

  constructor({ rootDir }, { print = (text) => process.stderr.write(`${text}\n`), now = Date.now } = {}) {
    Object.assign(this, { rootDir, print, now });
  }

  onTestFileStart({ path }) {
    const { wing } = this.placeOf(path);
    const state = this.wings.get(wing) ?? { files: 0, specs: 0, failed: 0, begun: this.now(), ended: 0 };
    this.wings.set(wing, { ...state, files: state.files + 1 });
    this.printWings([...this.wings.keys()].slice(0, -1));
  }

  onTestFileResult({ path }, result) {
    const { wing, file } = this.placeOf(path);
    const failures = failuresOf(file, result);
    for (const failure of failures) this.print(`${failure}\n`);
    const state = this.wings.get(wing);
    this.wings.set(wing, {
      ...state,
      files: state.files - 1,
      specs: state.specs + result.testResults.length,
      failed: state.failed + failures.length,
      ended: this.now(),
    });
    this.specs.push(
      ...result.testResults.map(({ duration, fullName }) => ({ ms: duration ?? 0, name: `${file} › ${fullName}` })),
    );
    this.printWings([...this.wings.keys()].slice(0, -1));
  }

  onRunComplete(_contexts, { numTotalTests, numFailedTests, numRuntimeErrorTestSuites, startTime }) {
    this.printWings([...this.wings.keys()]);
    const failed = numFailedTests + numRuntimeErrorTestSuites;
    this.print(`\nSlowest specs:\n${slowestOf(this.specs).join('\n')}`);
    this.print(
      `\n${numTotalTests} specs in ${secondsOf(this.now() - startTime)}, ${failed === 0 ? 'all passed' : `${failed} failed`}`,
    );
  }

  placeOf(path) {
    const file = relative(this.rootDir, path).split(sep).join('/');
    return { file, wing: file.split('/')[1] };
  }

  /** The wings of which no file runs any more. */
  printWings(names) {
    for (const wing of names) {
      const state = this.wings.get(wing);
      if (state.files > 0) continue;
      this.print(lineOf(wing, state));
      this.wings.delete(wing);
    }
  }
};
