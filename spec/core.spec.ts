/** The run of core specs: what it selects and refuses, and what its reporter prints. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import './support/core/nothingReal';

const { testPathIgnorePatterns } = require('./support/core/jest.config');
const Reporter = require('./support/core/reporter');

describe('the core specs', () => {
  it('are all of some wings but those that need something of the machine, or meet it', () => {
    const leftOut = (path: string) => testPathIgnorePatterns.includes(`/spec/${path}.spec.ts$`);
    expect(['agent/tools/trustPrograms', 'settings/logins/startLogin'].map(leftOut)).toEqual([true, true]);
    expect(leftOut('streams/connectPeers')).toBe(false);
  });

  it.each<[string, () => unknown]>([
    ['starts a process', () => spawnSync(process.execPath, ['--version'])],
    ['makes a folder', () => mkdtempSync('core-')],
    ['opens a port', () => createServer().listen(0)],
  ])('are named if one %s', (what, meet) => {
    expect(meet).toThrow(`A core spec ${what}. Use a port in memory, or add the import to MEETS_MACHINE in `);
  });
});

/** A spec as Jest reports it. */
const specOf = (name: string, duration: number, ...failureMessages: string[]) => ({
  title: name,
  fullName: `topic ${name}`,
  ancestorTitles: ['topic'],
  status: failureMessages.length > 0 ? 'failed' : 'passed',
  duration,
  failureMessages,
});

/** The lines of a run of two wings, which takes a second for each event. */
const printedOf = (first: object, totals: object): string => {
  const lines: string[] = [];
  let now = 0;
  const clock = () => (now += 1000);
  const reporter = new Reporter(
    { rootDir: '/checkout' },
    { print: (line: string) => void lines.push(line), now: clock },
  );
  const [one, two] = ['streams/one', 'agent/two'].map((name) => ({ path: `/checkout/spec/${name}.spec.ts` }));
  reporter.onTestFileStart(one);
  reporter.onTestFileStart(two);
  reporter.onTestFileResult(one, first);
  reporter.onTestFileResult(two, { testResults: [specOf('answers', 1500)] });
  reporter.onRunComplete([], {
    numTotalTests: 2,
    numFailedTests: 0,
    numRuntimeErrorTestSuites: 0,
    startTime: 0,
    ...totals,
  });
  return lines.join('\n');
};

describe('the reporter', () => {
  it('prints each wing when it is done, and the slowest specs at the end', () => {
    expect(printedOf({ testResults: [specOf('emits', 20)] }, {})).toBe(
      [
        'streams         1 specs   2.0 s',
        'agent           1 specs   2.0 s',
        '',
        'Slowest specs:',
        '   1.5 s  spec/agent/two.spec.ts › topic answers',
        '   0.0 s  spec/streams/one.spec.ts › topic emits',
        '',
        '2 specs in 5.0 s, all passed',
      ].join('\n'),
    );
  });

  it('prints of a stream that does not match only its marbles', () => {
    const rows = ['  expected  n---(Nm)M', '  actual    n---(mN)M', '                ^'];
    const error = [
      'MarbleError: the stream does not match its marbles',
      ...rows,
      '    at assert (/checkout/src/a.ts:9:11)',
    ];
    const printed = printedOf({ testResults: [specOf('emits', 20, error.join('\n'))] }, { numFailedTests: 1 });
    expect(printed.split('\n').slice(0, 6)).toEqual([
      'spec/streams/one.spec.ts › topic › emits',
      ...rows,
      '',
      'streams         1 specs   2.0 s   1 failed',
    ]);
    expect(printed).toMatch(/ 1 failed$/);
  });

  it('prints the error of a file that could not be loaded', () => {
    const testExecError = { message: "Cannot find module './gone'\n    at load (/checkout/a.ts:1:1)" };
    const printed = printedOf({ testResults: [], testExecError }, { numRuntimeErrorTestSuites: 1 });
    expect(printed.split('\n').slice(0, 3)).toEqual(['spec/streams/one.spec.ts', "  Cannot find module './gone'", '']);
  });
});
