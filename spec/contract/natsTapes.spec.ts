/** Tapes on a real NATS server: the same to the byte as on a disk, whatever becomes of the server. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { firstValueFrom, lastValueFrom, type Observable } from 'rxjs';
import { copyTape, listTapes, removeTape } from '../../src/app/tapes/natsTapes';
import { endNatsServers, type NatsServer, startNats } from '../support/nats/natsServer';
import { recordedTo, tapeDeps } from '../support/nats/natsTapes';
import { needs } from '../support/needs/needs';

const { describe } = needs('nats-server');

let server: NatsServer;
const folder = mkdtempSync(path.join(tmpdir(), 'codex-rx-tapes-'));
beforeAll(async () => {
  server = await startNats();
});
afterAll(async () => {
  await endNatsServers();
  rmSync(folder, { recursive: true });
});

const onServer = (name: string) => `${server.address}/${name}`;
const onDisk = (name: string) => path.join(folder, name);

const copied = async (from: string, name: string): Promise<string> => {
  await lastValueFrom(copyTape(tapeDeps, from, onDisk(name)));
  return readFileSync(onDisk(name), 'utf8');
};
const one = <T>(source$: Observable<T>): Promise<T> => firstValueFrom(source$);

describe('a tape on NATS', () => {
  it('is the same to the byte as one on a disk, also when a second session follows', async () => {
    for (const _ of [1, 2]) {
      expect(await recordedTo(onServer('same'), { rounds: 1 })).toBeUndefined();
      expect(await recordedTo(onDisk('same'), { rounds: 1 })).toBeUndefined();
    }
    const text = await copied(onServer('same'), 'same-copy');
    expect(text).toBe(readFileSync(onDisk('same'), 'utf8'));
    expect(text).toContain('"client":{"name":"me","version":"1"}');
  });

  it('loses no line and has none twice when the server dies while it is recorded', async () => {
    const die = async (round: number) => {
      if (round !== 1) return;
      await server.kill();
      setTimeout(() => void server.start(), 300);
    };
    expect(await recordedTo(onServer('death'), { rounds: 50, pause: die })).toBeUndefined();
    await recordedTo(onDisk('death'), { rounds: 50 });
    expect(await copied(onServer('death'), 'death-copy')).toBe(readFileSync(onDisk('death'), 'utf8'));
  });

  it('belongs to one recorder at a time', async () => {
    const results: (string | undefined)[] = [];
    const other = async () =>
      results.push(await recordedTo(onServer('two'), { rounds: 1 }).catch(({ message }: Error) => message));
    results.push(await recordedTo(onServer('two'), { rounds: 1, pause: other }));
    expect(results.filter((trouble) => trouble !== undefined)).toEqual([
      expect.stringContaining('another recorder writes to this tape'),
    ]);
  });

  it('is copied there and back, listed and removed', async () => {
    await recordedTo(onDisk('there'), { rounds: 1 });
    const size = await one(copyTape(tapeDeps, onDisk('there'), onServer('dir/there%20x')));
    expect(await copied(onServer('dir/there%20x'), 'back')).toBe(readFileSync(onDisk('there'), 'utf8'));
    const listed = await one(listTapes(tapeDeps, server.address));
    expect(listed).toContainEqual({ name: 'dir/there x', bytes: size, atMs: expect.any(Number) });
    await expect(one(copyTape(tapeDeps, onDisk('there'), onServer('dir/there%20x')))).rejects.toThrow(
      'is there already',
    );
    await expect(one(copyTape(tapeDeps, onServer('dir/there%20x'), onDisk('there')))).rejects.toThrow(
      'is there already',
    );
    await one(removeTape(tapeDeps, onServer('dir/there%20x')));
    await expect(one(removeTape(tapeDeps, onServer('dir/there%20x')))).rejects.toThrow('there is no tape dir/there x');
    await expect(copied(onServer('dir/there%20x'), 'again')).rejects.toThrow('there is no tape dir/there x');
  });

  it('is not begun if the server cannot be reached', async () => {
    await expect(recordedTo('nats://127.0.0.1:1/x', { rounds: 1 })).rejects.toMatchObject({ kind: 'unreachable' });
  });
});
