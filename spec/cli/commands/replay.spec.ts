import { replay } from '../../../src/cli/commands/replay';
import { givenBy, problemBy } from '../reading';

describe('replay', () => {
  it('is a server by default', () => {
    expect(givenBy(replay, 'tape.jsonl')).toEqual({
      file: 'tape.jsonl',
      session: undefined,
      http: undefined,
      'allow-host': [],
      'allow-redacted': false,
      'allow-damaged': false,
      speed: undefined,
      faults: undefined,
      seed: 1,
      loop: false,
      lenient: false,
      step: false,
      'step-fd': undefined,
      mask: [],
      unmask: [],
      'ignore-path': [],
      'ignore-method': [],
      report: 'text',
      update: false,
      timeout: 30,
      jobs: 1,
      times: undefined,
      parallel: 1,
      out: undefined,
      like: undefined,
      command: [],
    });
  });

  it('puts load on a command', () => {
    const line = ['t', '--times', '9', '--parallel', '3', '-o', 'first.jsonl', '--', 'x'];
    expect(givenBy(replay, ...line)).toMatchObject({ times: 9, parallel: 3, out: 'first.jsonl' });
    expect(problemBy(replay, 't', '--times', '9')).toMatch(/^--times is for a client/);
    expect(problemBy(replay, 't', '--parallel', '9', '--', 'x')).toBe('--parallel goes with --times');
    expect(problemBy(replay, 't', '-o', 'f', '--', 'x')).toBe('--out goes with --times');
    expect(problemBy(replay, 't', '--times', '9', '--update', '--', 'x')).toBe('--times goes without --update');
    expect(problemBy(replay, '.', '--times', '9', '--', 'x')).toBe('--times takes one tape, not a folder');
  });

  it('takes marbles with dashes', () => {
    expect(givenBy(replay, 't', '--faults', '---x-2s-D', '--loop')).toMatchObject({ faults: '---x-2s-D', loop: true });
    expect(givenBy(replay, 't', '--faults=-x*')).toMatchObject({ faults: '-x*' });
    expect(problemBy(replay, 't', '--faults', 'y')).toMatch(/^--faults y cannot be read; write signs as in ---x-2s-D/);
    expect(problemBy(replay, 't', '--faults')).toBe('--faults needs a value');
  });

  it.each([
    ['--faults', '-x'],
    ['--loop'],
    ['--lenient'],
    ['--step'],
    ['--seed', '1'],
    ['--http', '1'],
    ['--step-fd', '3'],
  ])('refuses %s, which is for a server, with a command', (option, ...value) => {
    expect(problemBy(replay, 't', option, ...value, '--', 'x')).toBe(
      `${option} is for a server: leave it out, or the command after --`,
    );
  });

  it.each([
    ['--report', 'text'],
    ['--update'],
    ['--mask', 'x'],
    ['--unmask', 'id'],
    ['--timeout', '3'],
    ['--jobs', '2'],
  ])('refuses %s, which is for a client, without a command', (option, ...value) => {
    expect(problemBy(replay, 't', option, ...value)).toBe(
      `${option} is for a client: write the command of its server after --`,
    );
  });

  it('is the client of the command after --', () => {
    const argv = ['-', '--mask', 'a+', '--mask', 'b', '--unmask', 'time', '--', 'node', 'server.js'];
    expect(givenBy(replay, ...argv)).toMatchObject({
      file: '-',
      mask: ['a+', 'b'],
      unmask: ['time'],
      command: ['node', 'server.js'],
    });
  });

  it.each<[string[], string | RegExp]>([
    [[], 'FILE is missing'],
    [['-'], 'A server has its client on stdin, so the tape must be a file; - works with a command after --'],
    [['t', '--speed', 'fast'], '--speed must be a number above 0, or max'],
    [['t', '--step', '--speed', '2'], '--step follows no clock, so --speed must be max'],
    [['t', '--step-fd', '3', '--speed', '2'], '--step follows no clock, so --speed must be max'],
    [['t', '--step-fd', '2'], '--step-fd must be a whole number from 3'],
    [['t', '--session', '0'], '--session must be a whole number from 1'],
    [['t', '--timeout', '0'], '--timeout must be a number above 0'],
    [['t', '--mask', '(', '--', 'x'], /^--mask \( cannot be used: Invalid regular expression/],
    [['t', '--unmask', 'everything'], /^--unmask must be .*; it is everything$/],
  ])('refuses %j', (argv, problem) => {
    expect(problemBy(replay, ...argv)).toMatch(problem);
  });

  it.each([
    [['t', '--http', '3001', '--step'], '--step needs one client, on stdin, so it goes without --http'],
    [['t', '--http', 'no'], '--http no is not an address; write a port, as 3001, or IP:PORT, as 127.0.0.1:3001'],
    [['t', '--allow-host', 'a'], '--allow-host goes with --http'],
  ])('refuses %j', (argv, problem) => {
    expect(problemBy(replay, ...argv)).toBe(problem);
  });
});
