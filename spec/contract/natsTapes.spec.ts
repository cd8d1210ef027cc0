/** Tapes on a real NATS server: the same to the byte as on a disk, whatever becomes of the server. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { concat, defer, firstValueFrom, ignoreElements, lastValueFrom, type Observable, of } from 'rxjs';
import { copyTape, listTapes, openTape, openTapeFile, removeTape } from '../../src/app/tape';
import { silentLog } from '../../src/log';
import { withResource } from '../../src/streams';
import { NATS_DEFAULTS } from '../../src/transport/nats';
import { connectNats } from '../../src/transport/nats/connectNats';
import { endNatsServers, type NatsServer, startNats } from '../support/natsServer';

let server: NatsServer;
const folder = mkdtempSync(path.join(tmpdir(), 'codex-rx-tapes-'));
beforeAll(async () => {
  server = await startNats();
});
afterAll(async () => {
  await endNatsServers();
  rmSync(folder, { recursive: true });
});

const deps = {
  nats: (address: string) => connectNats({ address, settings: NATS_DEFAULTS, log: silentLog }),
  stdin: Readable.from([]),
  remark: () => {},
};
const onServer = (name: string) => `${server.address}/${name}`;
const onDisk = (name: string) => path.join(folder, name);

const parties = (id: number, value: object) => JSON.stringify({ jsonrpc: '2.0', id, ...value });
const INITIALIZE = parties(1, { method: 'initialize', params: { clientInfo: { name: 'me', version: '1' } } });
const RESPONSE = parties(1, { result: { serverInfo: { name: 'it', version: '2' }, protocolVersion: '2025-06-18' } });

/** Records a session of so many lines, with a pause after the first; emits why the tape is incomplete. */
const recorded = (target: string, lines: number, pause: () => Promise<unknown> = async () => {}) => {
  let ms = 0;
  const tapeDeps = { now: () => ms++, soon: setImmediate, remark: () => {} };
  return lastValueFrom(
    openTapeFile(deps, target).pipe(
      withResource((file) => {
        const { tape, close, settled$ } = openTape(file, { version: 1 }, tapeDeps);
        tape({ dir: 'in', line: INITIALIZE });
        tape({ dir: 'out', line: RESPONSE });
        return concat(
          defer(pause).pipe(ignoreElements()),
          defer(() => {
            for (let i = 0; i < lines; i += 1) tape({ dir: 'out', line: `${i} ${'\u00e4'.repeat(100)}` });
            const { trouble } = close();
            return trouble === undefined ? settled$ : of(trouble);
          }),
        );
      }),
    ),
  );
};

const copied = async (from: string, name: string): Promise<string> => {
  await lastValueFrom(copyTape(deps, from, onDisk(name)));
  return readFileSync(onDisk(name), 'utf8');
};
const one = <T>(source$: Observable<T>): Promise<T> => firstValueFrom(source$);

describe('a tape on NATS', () => {
  it('is the same to the byte as one on a disk, also when a second session follows', async () => {
    for (const _ of [1, 2]) {
      expect(await recorded(onServer('same'), 50)).toBeUndefined();
      expect(await recorded(onDisk('same'), 50)).toBeUndefined();
    }
    const text = await copied(onServer('same'), 'same-copy');
    expect(text).toBe(readFileSync(onDisk('same'), 'utf8'));
    expect(text).toContain('"client":{"name":"me","version":"1"}');
  });

  it('loses no line and has none twice when the server dies while it is recorded', async () => {
    const die = async () => {
      await server.kill();
      setTimeout(() => void server.start(), 300);
    };
    expect(await recorded(onServer('death'), 5_000, die)).toBeUndefined();
    await recorded(onDisk('death'), 5_000);
    expect(await copied(onServer('death'), 'death-copy')).toBe(readFileSync(onDisk('death'), 'utf8'));
  });

  it('belongs to one recorder at a time', async () => {
    const results: (string | undefined)[] = [];
    const other = async () => results.push(await recorded(onServer('two'), 1));
    results.push(await recorded(onServer('two'), 3, other));
    expect(results.filter((trouble) => trouble !== undefined)).toEqual([
      expect.stringContaining('another recorder writes to this tape'),
    ]);
  });

  it('is copied there and back, listed and removed', async () => {
    await recorded(onDisk('there'), 3);
    const size = await one(copyTape(deps, onDisk('there'), onServer('dir/there%20x')));
    expect(await copied(onServer('dir/there%20x'), 'back')).toBe(readFileSync(onDisk('there'), 'utf8'));
    const listed = await one(listTapes(deps, server.address));
    expect(listed).toContainEqual({ name: 'dir/there x', bytes: size, atMs: expect.any(Number) });
    await expect(one(copyTape(deps, onDisk('there'), onServer('dir/there%20x')))).rejects.toThrow('is there already');
    await expect(one(copyTape(deps, onServer('dir/there%20x'), onDisk('there')))).rejects.toThrow('is there already');
    await one(removeTape(deps, onServer('dir/there%20x')));
    await expect(one(removeTape(deps, onServer('dir/there%20x')))).rejects.toThrow('there is no tape dir/there x');
    await expect(copied(onServer('dir/there%20x'), 'again')).rejects.toThrow('there is no tape dir/there x');
  });

  it('is not begun where the server cannot be reached', async () => {
    await expect(recorded('nats://127.0.0.1:1/x', 1)).rejects.toMatchObject({ kind: 'unreachable' });
  });
});
