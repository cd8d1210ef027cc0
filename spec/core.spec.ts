/** The run of core specs: what it selects and refuses. The order of all specs, and what is printed of them. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import './support/core/nothingReal';

const { testPathIgnorePatterns } = require('./support/core/jest.config');
const Reporter = require('./support/byWing');
const Order = require('./support/longFirst');

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

const PATHS = ['wire/nats/one', 'agent/two'].map((name) => `/checkout/spec/${name}.spec.ts`);

/** What a run of two files prints, which takes a second for each look at the clock. */
const printedOf = (first: object, totals: object): string => {
  const lines: string[] = [];
  let now = 0;
  const printer = { print: (line: string) => void lines.push(line) };
  const reporter = new Reporter({ rootDir: '/checkout' }, { printer, now: () => (now += 1000) });
  Object.assign(globalThis, { specPaths: PATHS });
  reporter.onRunStart();
  for (const path of PATHS) reporter.onTestFileStart({ path });
  reporter.onTestFileResult({ path: PATHS[0] }, first);
  reporter.onTestFileResult({ path: PATHS[1] }, { testResults: [specOf('answers', 1500)] });
  const numbers = { numTotalTests: 2, numPendingTests: 0, numFailedTests: 0, numRuntimeErrorTestSuites: 0 };
  reporter.onRunComplete([], { ...numbers, startTime: 0, ...totals });
  return lines.join('\n');
};

describe('the order of spec files', () => {
  it('has the longest first, then wing after wing', () => {
    const order = new Order({ globalConfig: {} });
    const tests = ['streams/a', 'agent/b', 'tapes/c', 'wire/nats/fleet'].map((name) => ({
      path: `/checkout/spec/${name}.spec.ts`,
      context: { config: {}, hasteFS: { getSize: () => 1 } },
    }));
    const names = order.sort(tests).map(({ path }: { path: string }) => path.slice(15, -8));
    expect(names).toEqual(['wire/nats/fleet', 'agent/b', 'streams/a', 'tapes/c']);
  });
});

describe('the reporter', () => {
  it('prints each wing when it is done, and the slowest specs at the end', () => {
    expect(printedOf({ testResults: [specOf('emits', 20)] }, {})).toBe(
      [
        'wire/nats           1 specs    2.0 s',
        'agent               1 specs    3.0 s',
        '',
        'Slowest specs:',
        '    1.5 s  spec/agent/two.spec.ts › topic answers',
        '',
        '2 specs in 8.0 s, all passed',
      ].join('\n'),
    );
  });

  it('prints of a stream that does not match only its marbles', () => {
    const rows = ['  expected  n---(Nm)M', '  actual    n---(mN)M', '                ^'];
    const error = [
      'MarbleError: the stream does not match its marbles',
      ...rows,
      '    at assert (/checkout/src/a.ts:9:11)',
      '    at Object.<anonymous> (/checkout/spec/wire/nats/one.spec.ts:12:3)',
    ];
    const printed = printedOf({ testResults: [specOf('emits', 20, error.join('\n'))] }, { numFailedTests: 1 });
    expect(printed.split('\n').slice(0, 6)).toEqual([
      'spec/wire/nats/one.spec.ts:12 › topic › emits',
      ...rows,
      '',
      'wire/nats           1 specs    3.0 s   1 failed',
    ]);
    expect(printed).toMatch(/ 1 failed$/);
  });

  it('prints the error of a file that could not be loaded', () => {
    const testExecError = { message: "Cannot find module './gone'\n    at load (/checkout/a.ts:1:1)" };
    const printed = printedOf({ testResults: [], testExecError }, { numRuntimeErrorTestSuites: 1 });
    expect(printed.split('\n').slice(0, 3)).toEqual([
      'spec/wire/nats/one.spec.ts',
      "  Cannot find module './gone'",
      '',
    ]);
  });
});
