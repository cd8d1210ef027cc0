import fs from 'node:fs';
import net from 'node:net';
import { resolve } from 'node:path';
import { setImmediate as turnOfNode } from 'node:timers/promises';
import { lastValueFrom } from 'rxjs';
import { rehearse } from '../../../src/app/rehearsal';

const deps = { dist: resolve('dist'), version: '0.0.0', platform: process.platform };

const WRITES = ['writeSync', 'mkdirSync', 'renameSync', 'rmSync', 'linkSync', 'open', 'write'];
const { O_CREAT, O_RDWR, O_WRONLY } = fs.constants;

/** Whether a file was opened for reading. */
const isRead = ([, flags]: unknown[]): boolean =>
  typeof flags === 'number' ? (flags & (O_CREAT | O_RDWR | O_WRONLY)) === 0 : flags === 'r';

describe('rehearse', () => {
  afterEach(() => jest.restoreAllMocks());

  it('runs to its end', async () => {
    await expect(lastValueFrom(rehearse(deps), { defaultValue: 'done' })).resolves.toBe('done');
  });

  it('writes nothing and connects to nothing', async () => {
    const spies = WRITES.map((name) => jest.spyOn(fs, name as 'writeSync'));
    const open = jest.spyOn(fs, 'openSync');
    const connect = jest.spyOn(net.Socket.prototype, 'connect');
    await lastValueFrom(rehearse(deps), { defaultValue: undefined });
    for (const spy of [...spies, connect]) expect(spy).not.toHaveBeenCalled();
    expect(open.mock.calls.filter((call) => !isRead(call))).toEqual([]);
  });

  it('can be stopped at any time', async () => {
    for (const turns of [0, 1, 4, 9]) {
      const running = rehearse(deps).subscribe();
      for (let i = 0; i < turns; i += 1) await turnOfNode();
      running.unsubscribe();
    }
    await expect(lastValueFrom(rehearse(deps), { defaultValue: 'done' })).resolves.toBe('done');
  });
});
