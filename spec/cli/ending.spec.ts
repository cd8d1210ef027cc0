import { exitWhenWritten, exitWithoutLookups, failAs, remarkAs, remarkInput } from '../../src/cli/ending';
import { programFault } from '../../src/cli/programFault';
import { UsageError } from '../../src/cli/thisProcess';
import { TapeError } from '../../src/tapes/format/tape';

/** What was written to stderr, with the process's exit code and exits as they are set. */
const watched = () => {
  const written: string[] = [];
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  const exit = jest.spyOn(process, 'exit').mockImplementation((() => undefined) as never);
  return { written, exit };
};

describe('the ending of a command', () => {
  afterEach(() => {
    jest.restoreAllMocks();
    process.exitCode = undefined;
  });

  describe('remarkAs', () => {
    it('writes one line, without what commands a terminal', () => {
      const { written } = watched();
      remarkAs('diff')('a\n\u001b[31mb');
      expect(written).toHaveLength(1);
      expect(written[0]).toMatch(/^codex-rx diff: a[^\n\u001b]*b\n$/);
    });
  });

  describe('failAs', () => {
    it('exits with 2 for a tape that cannot be used, and shows its text', () => {
      const { written } = watched();
      failAs('diff')(new TapeError('no tape'));
      expect([written, process.exitCode]).toEqual([['codex-rx diff: no tape\n'], 2]);
    });

    it('begins with a small letter, and ends one sentence without a full stop', () => {
      const { written } = watched();
      failAs('diff')(new TapeError('The tape is gone.'));
      remarkAs('')('There is none');
      expect(written).toEqual(['codex-rx diff: the tape is gone\n', 'codex-rx: there is none\n']);
    });

    it('exits with 2 for an address where nothing can listen, and shows the text', () => {
      const { written } = watched();
      failAs('replay')(Object.assign(new Error('in use'), { syscall: 'listen' }));
      expect([written, process.exitCode]).toEqual([['codex-rx replay: in use\n'], 2]);
    });

    it('exits with 2 for a command line that cannot be used, and shows its text', () => {
      const { written } = watched();
      failAs('doctor')(new UsageError('no home'));
      expect([written, process.exitCode]).toEqual([['codex-rx doctor: no home\n'], 2]);
    });

    it('exits with 1 for what the system refuses, in one line', () => {
      const { written } = watched();
      failAs('login')(Object.assign(new Error('ELOOP: too many links, open'), { syscall: 'open', code: 'ELOOP' }));
      expect([written, process.exitCode]).toEqual([['codex-rx login: ELOOP: too many links, open\n'], 1]);
    });

    it('exits with 1 for a program that was replaced while it ran, and shows the remedy alone', () => {
      const { written } = watched();
      const fault = programFault() as Error;
      failAs('exec-server')(fault);
      expect([written, process.exitCode]).toEqual([[`${fault.message}\n`], 1]);
    });

    it('exits with 1 for a bug, and shows its stack', () => {
      const { written } = watched();
      failAs('diff')(new Error('bug'));
      expect([written[0], process.exitCode]).toEqual([expect.stringMatching(/^codex-rx diff: Error: bug\n +at /), 1]);
    });
  });

  describe('exitWhenWritten', () => {
    /** Ends with stdout in this state. */
    const end = (errored: Error | null) => {
      const { written, exit } = watched();
      const own = Object.getOwnPropertyDescriptor(process.stdout, 'errored');
      Object.defineProperty(process.stdout, 'errored', { value: errored, configurable: true });
      jest.spyOn(process.stdout, 'on').mockReturnThis();
      jest.spyOn(process.stdout, 'write').mockImplementation(((_: string, done: () => void) => done()) as never);
      exitWhenWritten('diff')();
      if (own) Object.defineProperty(process.stdout, 'errored', own);
      else Reflect.deleteProperty(process.stdout, 'errored');
      return { written, code: process.exitCode, exits: exit.mock.calls.length };
    };

    it.each([
      [null, [], undefined],
      [Object.assign(new Error('closed'), { code: 'EPIPE' }), [], undefined],
      [
        Object.assign(new Error('disk full'), { code: 'ENOSPC' }),
        ['codex-rx diff: the result cannot be written: disk full\n'],
        2,
      ],
    ])('exits after %o', (errored, written, code) => {
      expect(end(errored)).toEqual({ written, code, exits: 1 });
    });
  });
});

describe('remarkInput', () => {
  it.each([
    [true, 'codex-rx apply-patch: the patch is read from this terminal; Ctrl-D ends it\n'],
    [false, ''],
  ])('with a terminal: %s', (isTTY, text) => {
    const { stdin, stderr } = process;
    const write = jest.spyOn(stderr, 'write').mockReturnValue(true);
    const wasTTY = stdin.isTTY;
    stdin.isTTY = isTTY;
    remarkInput('apply-patch', 'the patch');
    stdin.isTTY = wasTTY;
    expect(write.mock.calls.map(([written]) => written).join('')).toBe(text);
    write.mockRestore();
  });
});

describe('exitWithoutLookups', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it.each([
    ['at once without one            ', 0, 0, ['exit 0']],
    ['after one that ends in time    ', 300, 300, ['exit 0']],
    ['by a signal after a second else', 9_000, 1_000, ['no listeners of SIGTERM', 'SIGTERM to 7', 'exit 0']],
  ])('waits for a name lookup: %s', (_, lookupMs, endMs, expected) => {
    const done: string[] = [];
    const beganMs = Date.now();
    const ending = {
      pid: 7,
      getActiveResourcesInfo: () => (Date.now() - beganMs < lookupMs ? ['TTYWrap', 'GetAddrInfoReqWrap'] : ['TTYWrap']),
      exit: (code?: number) => void done.push(`exit ${code}`),
      kill: (pid: number, signal: string) => done.push(`${signal} to ${pid}`) > 0,
      removeAllListeners: (signal: string) => done.push(`no listeners of ${signal}`),
    };
    exitWithoutLookups(0, ending as never);
    jest.advanceTimersByTime(Math.max(0, endMs - 1));
    expect(done).toEqual(endMs === 0 ? expected : []);
    jest.advanceTimersByTime(1);
    expect(done).toEqual(expected);
  });
});
