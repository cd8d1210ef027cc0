import { lastValueFrom, toArray } from 'rxjs';
import { findTerminals } from '../../../src/executor/listen/openSessions';
import { localBackend } from '../../../src/executor/local/localBackend';
import type { SpawnTerminal } from '../../../src/io/processes/fromTerminal';
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

  it('opens terminals with the next package where the first is missing', () => {
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
