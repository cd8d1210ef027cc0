import fs from 'node:fs';
import net from 'node:net';
import { resolve } from 'node:path';
import { setImmediate as turnOfNode } from 'node:timers/promises';
import { lastValueFrom } from 'rxjs';
import { runWarmUpTurns } from '../../../src/app/warmUp';

const deps = { dist: resolve('dist'), version: '0.0.0', platform: process.platform };

const WRITES = ['writeSync', 'mkdirSync', 'renameSync', 'rmSync', 'linkSync', 'open', 'write'];
const READS = [
  'statSync',
  'lstatSync',
  'existsSync',
  'accessSync',
  'readFileSync',
  'openSync',
  'readlinkSync',
  'readdirSync',
];
const { O_CREAT, O_RDWR, O_WRONLY } = fs.constants;

/** Whether a file was opened for reading. */
const isRead = ([, flags]: unknown[]): boolean =>
  typeof flags === 'number' ? (flags & (O_CREAT | O_RDWR | O_WRONLY)) === 0 : flags === 'r';

/** The program, and what the system says of its own process, may be looked at. */
const isElsewhere = (path: string): boolean =>
  path.includes('no-home') || ![`${resolve('.')}/`, `/proc/${process.pid}/`].some((own) => path.startsWith(own));

describe('runWarmUpTurns', () => {
  afterEach(() => jest.restoreAllMocks());

  it('runs to its end', async () => {
    await expect(lastValueFrom(runWarmUpTurns(deps), { defaultValue: 'done' })).resolves.toBe('done');
  });

  it('writes nothing and connects to nothing', async () => {
    const spies = WRITES.map((name) => jest.spyOn(fs, name as 'writeSync'));
    const open = jest.spyOn(fs, 'openSync');
    const connect = jest.spyOn(net.Socket.prototype, 'connect');
    await lastValueFrom(runWarmUpTurns(deps), { defaultValue: undefined });
    for (const spy of [...spies, connect]) expect(spy).not.toHaveBeenCalled();
    expect(open.mock.calls.filter((call) => !isRead(call))).toEqual([]);
  });

  it('looks at no file outside of the program', async () => {
    const spies = READS.map((name) => jest.spyOn(fs, name as 'statSync'));
    const real = jest.spyOn(fs.realpathSync, 'native');
    await lastValueFrom(runWarmUpTurns(deps), { defaultValue: undefined });
    const paths = [...spies, real].flatMap((spy) => spy.mock.calls.map(([path]) => String(path)));
    expect(paths.filter(isElsewhere)).toEqual([]);
  });

  it('can be stopped at any time', async () => {
    for (const turns of [0, 1, 4, 9]) {
      const running = runWarmUpTurns(deps).subscribe();
      for (let i = 0; i < turns; i += 1) await turnOfNode();
      running.unsubscribe();
    }
    await expect(lastValueFrom(runWarmUpTurns(deps), { defaultValue: 'done' })).resolves.toBe('done');
  });
});
