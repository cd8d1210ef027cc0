import { tmpdir } from 'node:os';
import { lastValueFrom, toArray } from 'rxjs';
import { findTerminals, newest, serverEnvironment } from '../../../src/executor/listen/openSessions';
import { localBackend } from '../../../src/executor/local/localBackend';
import type { SpawnTerminal } from '../../../src/io/processes/fromTerminal';
import type { ProcessInfo } from '../../../src/io/serverProcess/serverProcess';
import { noBackpressure } from '../../../src/streams/backpressure';

const log = jest.fn();
const missing = (name: string) => (): never => {
  throw new Error(`Cannot find module '${name}'`);
};
const none = [missing('one'), missing('two')];

describe('findTerminals', () => {
  afterEach(() => log.mockClear());

  it('opens terminals with the first package', async () => {
    const spawn: SpawnTerminal = (file, args) => ({
      pid: 2 ** 30, // nobody's
      onData: (listener) => listener(Buffer.from([file, ...args].join(' '))),
      onExit: (listener) => void setImmediate(listener, { exitCode: 5 }),
      write: () => {},
      pause: () => {},
      resume: () => {},
    });
    const [first, second] = [jest.fn(() => ({ spawn })), jest.fn(() => ({ spawn }))];
    const terminals = findTerminals({ packages: [first, second], log });
    expect(first).not.toHaveBeenCalled();
    const backend = localBackend({
      spawn: missing('spawn'),
      backpressure: noBackpressure,
      signals: {},
      watch: () => () => {},
      terminals,
    });
    const events = await lastValueFrom(
      backend.start({ argv: ['/bin/sh', '-i'], cwd: '/', env: {}, tty: true }).pipe(toArray()),
    );
    expect(events.slice(-2)).toEqual([
      { kind: 'exited', seq: 2, exitCode: 5 },
      { kind: 'closed', seq: 3 },
    ]);
    expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 0]);
  });

  it('opens terminals with the next package if the first is missing', () => {
    const spawn = jest.fn();
    expect(findTerminals({ packages: [missing('one'), () => ({ spawn })], log })()).toBe(spawn);
    expect(log).not.toHaveBeenCalled();
  });

  it('logs that no package is installed, and looks again', () => {
    const terminals = findTerminals({ packages: none, log });
    expect([terminals(), terminals()]).toEqual([undefined, undefined]);
    expect(log.mock.calls).toEqual(
      Array(2).fill([
        'info',
        'no process can have a terminal',
        { why: "Cannot find module 'one'; Cannot find module 'two'" },
      ]),
    );
  });
});

describe('newest', () => {
  it('makes one for equal inputs, and forgets the one that was not used for longest', () => {
    const made: string[] = [];
    const find = newest(2, ({ name }: { name: string }) => made.push(name));
    expect(['a', 'b', 'a', 'c', 'a', 'b'].map((name) => find({ name }))).toEqual([1, 2, 1, 3, 1, 4]);
    expect(made).toEqual(['a', 'b', 'c', 'b']);
  });
});

const processInfo = {
  env: { SHELL: '/usr/bin/zsh' },
  cwd: '/work',
  home: '/h',
  platform: 'darwin',
  version: '1.2.3',
} as const;

describe('serverEnvironment', () => {
  it('has the shell of the user, the folders and the version of this process', () => {
    expect(serverEnvironment(processInfo)).toEqual({
      shell: { name: 'zsh', path: '/usr/bin/zsh' },
      version: '1.2.3',
      cwd: '/work',
      home: '/h',
      tempDir: tmpdir(),
      platform: 'macos',
    });
  });

  it.each(['', undefined])('takes /bin/sh if SHELL is %j', (SHELL) => {
    expect(serverEnvironment({ ...processInfo, env: { SHELL } }).shell).toEqual({ name: 'sh', path: '/bin/sh' });
  });

  it.each([
    ['win32', 'windows'],
    ['linux', 'linux'],
    ['freebsd', 'freebsd'],
  ])('names the platform %s as Codex does: %s', (platform, expected) => {
    expect(serverEnvironment({ ...processInfo, platform: platform as ProcessInfo['platform'] }).platform).toBe(
      expected,
    );
  });
});
