import { lastValueFrom, toArray } from 'rxjs';
import { findTerminals } from '../../../src/app/exec/findTerminals';
import { localBackend } from '../../../src/executor';
import { noBackpressure } from '../../../src/streams';
import type { SpawnTerminal } from '../../../src/transport';

const log = jest.fn();
const missing = (name: string): never => {
  throw new Error(`Cannot find module '${name}'`);
};

describe('findTerminals', () => {
  afterEach(() => log.mockClear());

  it('opens terminals with the optional dependency', async () => {
    const spawn: SpawnTerminal = (file, args) => ({
      pid: 2 ** 30, // nobody's
      onData: (listener) => listener(Buffer.from([file, ...args].join(' '))),
      onExit: (listener) => void setImmediate(listener, { exitCode: 5 }),
      write: () => {},
      pause: () => {},
      resume: () => {},
    });
    const load = jest.fn((_: string) => ({ spawn }));
    const terminals = findTerminals({ load, log });
    expect(load).not.toHaveBeenCalled();
    const backend = localBackend({
      spawn: missing,
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
    expect(load.mock.calls).toEqual([['@lydell/node-pty']]);
  });

  it('opens terminals with node-pty where the optional dependency is missing', () => {
    const spawn = jest.fn();
    const load = (name: string) => (name === 'node-pty' ? { spawn } : missing(name));
    expect(findTerminals({ load, log })()).toBe(spawn);
    expect(log).not.toHaveBeenCalled();
  });

  it('logs that no package is installed, and looks again', () => {
    const terminals = findTerminals({ load: missing, log });
    expect([terminals(), terminals()]).toEqual([undefined, undefined]);
    expect(log.mock.calls).toEqual(
      Array(2).fill([
        'info',
        'no process can have a terminal',
        { why: "Cannot find module '@lydell/node-pty'; Cannot find module 'node-pty'" },
      ]),
    );
  });
});
