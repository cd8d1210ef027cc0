import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { descendantsOf, killAll, memoryOf } from '../../../src/io/processes/descendants';

jest.mock('node:fs');

/** A process table: children by task, and when each process started. */
const proc = (files: Record<string, string>, tasks: Record<number, string[]>, self = process.pid) => {
  jest.mocked(readlinkSync as (path: string) => string).mockReturnValue(`${self}`);
  jest.mocked(readFileSync).mockImplementation((path) => {
    const text = files[String(path)];
    if (text === undefined) throw new Error(`ENOENT ${path}`);
    return text;
  });
  jest.mocked(readdirSync as (path: string) => string[]).mockImplementation((path) => {
    const own = tasks[Number(path.split('/')[2])];
    if (own === undefined) throw new Error(`ENOENT ${path}`);
    return own;
  });
};
const stat = (name: string, startTicks: number) =>
  `1 (${name}) S ${Array.from({ length: 18 }, (_, i) => i).join(' ')} ${startTicks} 99`;

describe('descendantsOf', () => {
  it('finds children of every task, and theirs, with the time of their start', () => {
    proc(
      {
        '/proc/1/task/1/children': '2 3 ',
        '/proc/1/task/10/children': '4 ',
        '/proc/2/task/2/children': '5 ',
        '/proc/2/stat': stat('sh', 20),
        '/proc/3/stat': stat('a) b (', 30),
        '/proc/4/stat': stat('c', 40),
        '/proc/5/stat': stat('d', 50),
      },
      { 1: ['1', '10'], 2: ['2'], 3: ['3'] },
    );
    expect(descendantsOf(1)).toEqual([
      { pid: 2, startTicks: '20' },
      { pid: 5, startTicks: '50' },
      { pid: 3, startTicks: '30' },
      { pid: 4, startTicks: '40' },
    ]);
  });

  it('passes over a child that has ended meanwhile, and finds none without /proc', () => {
    proc({ '/proc/1/task/1/children': '2 ' }, { 1: ['1'] });
    expect([descendantsOf(1), descendantsOf(9)]).toEqual([[], []]);
  });
});

describe('descendantsOf in a PID namespace with the /proc of outside', () => {
  it('finds none: the entry of this number is another process', () => {
    const files = { '/proc/1/task/1/children': '2 ', '/proc/2/stat': stat('sh', 20) };
    proc(files, { 1: ['1'], 2: ['2'] }, process.pid + 1);
    expect(descendantsOf(1)).toEqual([]);
    proc(files, { 1: ['1'], 2: ['2'] });
    expect(descendantsOf(1)).toEqual([{ pid: 2, startTicks: '20' }]);
  });
});

describe('killAll', () => {
  let kill: jest.SpyInstance;
  beforeEach(() => {
    kill = jest.spyOn(process, 'kill').mockReturnValue(true);
  });
  afterEach(() => kill.mockRestore());

  it('kills those that are still the same process', () => {
    proc({ '/proc/2/stat': stat('a', 20), '/proc/3/stat': stat('b', 31) }, {});
    killAll([2, 3, 4].map((pid) => ({ pid, startTicks: `${pid * 10}` })));
    expect(kill.mock.calls).toEqual([[2, 'SIGKILL']]);
  });

  it('goes on after one that cannot be killed', () => {
    proc({ '/proc/2/stat': stat('a', 20), '/proc/3/stat': stat('b', 30) }, {});
    kill.mockImplementationOnce(() => {
      throw new Error('EPERM');
    });
    killAll([2, 3].map((pid) => ({ pid, startTicks: `${pid * 10}` })));
    expect(kill).toHaveBeenLastCalledWith(3, 'SIGKILL');
  });
});

describe('memoryOf', () => {
  const status = (kilobytes: number) => `Name:\tsh\nVmPeak:\t9 kB\nVmRSS:\t    ${kilobytes} kB\n`;
  const files = {
    '/proc/1/task/1/children': '2 3 ',
    '/proc/2/stat': stat('sh', 20),
    '/proc/3/stat': stat('gone', 30),
    '/proc/1/status': status(10),
    '/proc/2/status': status(4),
    '/proc/3/status': 'Name:\tgone\n',
  };
  const tasks = { 1: ['1'], 2: ['2'], 3: ['3'] };

  it('is that of a process and all below it', () => {
    proc(files, tasks);
    expect(memoryOf(1)).toBe(14 * 1_024);
  });

  it('is unknown for a process that has ended, and with the /proc of outside', () => {
    proc(files, tasks);
    expect([memoryOf(3), memoryOf(9)]).toEqual([undefined, undefined]);
    proc(files, tasks, process.pid + 1);
    expect(memoryOf(1)).toBeUndefined();
  });
});
