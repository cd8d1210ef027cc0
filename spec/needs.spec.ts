/** What specs need of a machine: found out once, installed only by root on a Debian, left out if it is missing, and never in silence. */
import { findMissing, type Missing, type Need, prepare, toLine } from './support/needs/findMissing';
import type { Ending, Machine } from './support/needs/machine';
import { blocksOf, demand, needs } from './support/needs/needs';
import { markOf, type Results, reportOf } from './support/needs/report';

const WORKS: Ending = { status: 0, error: '' };
const ABSENT: Ending = { status: undefined, error: 'spawn ENOENT' };

/** A machine on which programs end as given, and all others well; `ran` has each program that was run, `printed` each line for the person. */
const machineOf = (programs: Record<string, Ending>, own: Partial<Machine> = {}) => {
  const ran: string[] = [];
  const printed: string[] = [];
  const machine: Machine = {
    isRoot: true,
    isDebian: true,
    hasPeers: true,
    run: (argv) => {
      ran.push(argv.join(' '));
      return programs[argv.slice(0, 2).join(' ')] ?? programs[argv[0] as string] ?? WORKS;
    },
    print: (line) => void printed.push(line),
    ...own,
  };
  return { machine, printed, installed: () => ran.filter((line) => line.startsWith('apt-get')) };
};

const BARE = { bwrap: ABSENT, 'nats-server': ABSENT };
const needsOf = (missing: readonly Missing[]): Need[] => missing.map(({ need }) => need);

describe('what a machine does not have', () => {
  it('is nothing where all works', () => {
    expect(findMissing(machineOf({}).machine)).toEqual([]);
  });

  it.each<[string, Record<string, Ending>, Partial<Machine>, RegExp]>([
    [
      'bubblewrap',
      { bwrap: ABSENT },
      {},
      /^Specs that need sandbox .*: bubblewrap is not installed; as root: apt-get /,
    ],
    [
      'user namespaces',
      { bwrap: { status: 1, error: 'bwrap: No permissions to create new namespace' } },
      {},
      /need sandbox .*fails \(bwrap: No permissions to create new namespace\); allow user namespaces \(as root: sysctl/,
    ],
    ['a NATS server', { 'nats-server': ABSENT }, {}, /need nats-server .*apt-get install .* nats-server /],
    [
      'terminals',
      { [process.execPath]: { status: 1, error: 'openpty(3) failed.' } },
      {},
      /need terminal .*\(openpty\(3\) failed\.\); npm ci/,
    ],
    ['another user', {}, { isRoot: false }, /need root .*this user is not root; run npm test as root, too$/],
  ])('is a line with the remedy: %s', (_, programs, own, line) => {
    const lines = findMissing(machineOf(programs, own).machine).map(toLine);
    expect(lines).toEqual([expect.stringMatching(line)]);
  });
});

describe('an installation', () => {
  it('is made by root on a Debian, of the packages that are missing, and is announced', () => {
    const programs: Record<string, Ending> = { ...BARE };
    const { machine, printed, installed } = machineOf(programs);
    const run: Machine['run'] = (argv) => {
      const ending = machine.run(argv);
      if (argv.includes('bubblewrap')) Object.assign(programs, { bwrap: WORKS, 'nats-server': WORKS });
      return ending;
    };
    expect(prepare({ ...machine, run }, true)).toEqual([]);
    const lines = ['apt-get update', 'apt-get install -y --no-install-recommends bubblewrap nats-server'];
    expect(installed()).toEqual(lines);
    expect(printed).toEqual([expect.stringContaining(lines.join(' && '))]);
  });

  it.each<[string, Partial<Machine>, boolean]>([
    ['by anybody else', { isRoot: false }, true],
    ['on another system', { isDebian: false }, true],
    ['where it is forbidden', {}, false],
  ])('is not made %s', (_, own, install) => {
    const { machine, installed } = machineOf(BARE, own);
    expect(needsOf(prepare(machine, install))).toEqual(expect.arrayContaining(['sandbox', 'nats-server']));
    expect(installed()).toEqual([]);
  });

  it('is not made where nothing is missing, nor for a kernel that forbids namespaces', () => {
    const worlds: Record<string, Ending>[] = [{}, { bwrap: { status: 1, error: 'no' } }];
    for (const programs of worlds) {
      const { machine, installed } = machineOf(programs);
      prepare(machine, true);
      expect(installed()).toEqual([]);
    }
  });

  it('that fails is named, and what it would have brought stays missing', () => {
    const { machine, printed, installed } = machineOf({
      ...BARE,
      'apt-get update': { status: 100, error: 'no network' },
    });
    expect(needsOf(prepare(machine, true))).toEqual(['sandbox', 'nats-server']);
    expect([installed(), printed.at(-1)]).toEqual([['apt-get update'], 'apt-get update failed: no network']);
  });
});

describe('a spec that needs something', () => {
  it('has the blocks of Jest if it is there', () => {
    const blocks = { describe, it };
    expect(blocksOf(blocks, [])).toBe(blocks);
  });

  it('is skipped, with what is missing in its name, if it is not there', () => {
    const named: unknown[] = [];
    const block = Object.assign((name: string) => void named.push(name), {
      each:
        (...table: unknown[]) =>
        (name: string) =>
          void named.push([...table, name]),
    });
    const own = blocksOf({ describe: { skip: block }, it: { skip: block } } as never, ['sandbox', 'root']);
    own.describe('topic', () => {});
    own.it('is kept', () => {});
    own.it.each([1, 2])('is %i', () => {});
    const mark = ' (needs sandbox, root)';
    expect(named).toEqual([`topic${mark}`, `is kept${mark}`, [[1, 2], `is %i${mark}`]]);
  });

  it('fails on every machine if it does not declare it', () => {
    expect(() => demand('terminal')).toThrow(/does not declare it: .*needs\('terminal'\)$/);
    needs('terminal');
    expect(() => demand('terminal')).not.toThrow();
  });
});

describe('what a machine adds to each process', () => {
  it('is no file of certificates, which Node would read at each start', () => {
    expect(process.env.NODE_EXTRA_CA_CERTS).toBeUndefined();
  });
});

describe('the end of a run', () => {
  const [nats, root] = findMissing(machineOf({ 'nats-server': ABSENT }, { isRoot: false }).machine) as [
    Missing,
    Missing,
  ];
  const spec = (status: string, ...names: string[]) => ({
    status,
    ancestorTitles: names.slice(0, -1),
    title: names.at(-1) as string,
  });
  const resultsOf = (...testResults: Results['testResults'][number]['testResults']): Results => ({
    numTotalTests: 9,
    numFailedTests: testResults.filter(({ status }) => status === 'failed').length,
    testResults: [{ testFilePath: '/checkout/spec/a.spec.ts', testResults }],
  });
  const onNats = resultsOf(
    spec('passed', 'b', 'runs'),
    spec('pending', 'b', `c${markOf(['nats-server'])}`, 'stores'),
    spec('pending', 'b', `c${markOf(['nats-server'])}`, 'reads'),
    spec('pending', 'b', 'is not among those that were chosen'),
  );
  const byRoot = resultsOf(spec('pending', `is closed to others${markOf(['root'])}`));
  const run = { missing: [nats, root], root: '/checkout', isCi: false };

  it('is silent if nothing was left out', () => {
    const all = resultsOf(spec('passed', 'runs'));
    expect(reportOf(all, { ...run, isCi: true })).toEqual({ lines: [], isFailure: false });
  });

  it('names and counts what was left out, and why', () => {
    expect(reportOf(onNats, run)).toEqual({
      lines: [
        expect.stringMatching(/^2 need nats-server: nats-server is not installed; as root: apt-get/),
        '  spec/a.spec.ts › b › c: 2',
        '2 of 9 specs were LEFT OUT, as named above.',
      ],
      isFailure: false,
    });
  });

  it('is a failure on a build server, but for what a run as root runs', () => {
    const { lines, isFailure } = reportOf(onNats, { ...run, isCi: true });
    expect([lines.at(-1), isFailure]).toEqual([
      expect.stringMatching(/LEFT OUT.* With CI set that is a failure\.$/),
      true,
    ]);
    expect(reportOf(byRoot, { ...run, isCi: true })).toMatchObject({
      lines: [/^1 need root/, '  spec/a.spec.ts › is closed to others: 1', /^1 of 9/].map((line) =>
        typeof line === 'string' ? line : expect.stringMatching(line),
      ),
      isFailure: false,
    });
    const both = resultsOf(spec('pending', `c${markOf(['root', 'nats-server'])}`));
    expect(reportOf(both, { ...run, isCi: true }).isFailure).toBe(true);
  });

  it('reminds of what is missing if a spec failed', () => {
    const failed = resultsOf(spec('failed', 'runs'));
    expect(reportOf(failed, run).lines).toEqual([
      'A spec that fails and needs nats-server, root does not declare it: see CONTRIBUTING.md',
    ]);
    expect(reportOf(failed, { ...run, missing: [] }).lines).toEqual([]);
  });
});
