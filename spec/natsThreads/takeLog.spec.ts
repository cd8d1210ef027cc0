import { firstValueFrom, lastValueFrom, switchMap, take, toArray } from 'rxjs';
import { type AppendDeps, appendText, type LogState } from '../../src/natsThreads/appendText';
import { changeLogs } from '../../src/natsThreads/changeLogs';
import { leftLeases } from '../../src/natsThreads/leftLeases';
import { listLog } from '../../src/natsThreads/listLog';
import { readLog } from '../../src/natsThreads/readLog';
import { retakeLog, takeLog } from '../../src/natsThreads/takeLog';
import { openPlace, type ThreadPlace } from '../../src/natsThreads/threadPlace';
import { onLink } from '../support/fleetThreads';
import { endNatsServers, type NatsServer, startNats } from '../support/natsServer';
import { FACTS } from './doubles';

let server: NatsServer;
beforeAll(async () => {
  server = await startNats();
});
afterAll(endNatsServers);

const HEAD = '{"type":"session_meta","payload":{"id":"a"}}\n';
const NEW: LogState = { seq: 0, facts: FACTS, head: '' };

/** Two processes at one thread, which the first has begun. */
const twoAt = (place: ThreadPlace, id: string) => {
  let ids = 0;
  const at = (pid: number): AppendDeps & { place: ThreadPlace } => ({
    ...{ place, id, self: { host: 'h', pid } },
    newId: () => `${id}-${++ids}`,
  });
  return { one: at(1), other: at(2) };
};

const onPlace = <T>(id: string, run: (world: ReturnType<typeof twoAt> & { place: ThreadPlace }) => Promise<T>) =>
  onLink(server.address, (link) =>
    openPlace(link, 'fence').pipe(
      switchMap((place) => run({ ...twoAt(place, id), place })),
      take(1),
    ),
  );

describe('takeLog', () => {
  it('fences off who had the thread before: the server refuses its lines from then on, also before the other has written any', () =>
    onPlace('00000000-0000-4000-8000-000000000001', async ({ one, other, place }) => {
      const before = await lastValueFrom(appendText(one, NEW, HEAD));
      const { text, state } = await firstValueFrom(takeLog(other));
      expect(text).toBe(HEAD);
      await expect(lastValueFrom(appendText(one, before, '{"late":1}\n'))).rejects.toThrow(
        'was taken over by the process 2 of the host h',
      );
      await lastValueFrom(appendText(other, state, '{"b":1}\n'));
      expect((await firstValueFrom(readLog(place, one.id))).text).toBe(`${HEAD}{"b":1}\n`);
    }));

  it('goes on behind a message of whoever is no daemon, without it', () =>
    onPlace('00000000-0000-4000-8000-000000000004', async ({ one, other, place }) => {
      await lastValueFrom(appendText(one, NEW, HEAD));
      await firstValueFrom(place.link.append({ subject: place.subjectOf(one.id), data: Buffer.from('{"x":1}\n') }));
      const { text, state } = await firstValueFrom(takeLog(other));
      expect({ text, size: state.facts.size }).toEqual({ text: HEAD, size: HEAD.length });
      await lastValueFrom(appendText(other, state, '{"b":1}\n'));
      expect((await firstValueFrom(readLog(place, one.id))).text).toBe(`${HEAD}{"b":1}\n`);
    }));

  it('archives it behind such a message too, and lists it as it was', () =>
    onPlace('00000000-0000-4000-8000-000000000005', async ({ one, place }) => {
      const facts = { ...FACTS, preview: 'hi', startedMs: 5_000 };
      await lastValueFrom(appendText(one, { ...NEW, facts }, HEAD));
      await firstValueFrom(place.link.append({ subject: place.subjectOf(one.id), data: Buffer.from('{"x":1}\n') }));
      const found = async () => (await firstValueFrom(listLog(place))).find(({ id }) => id === one.id);
      expect(await found()).toMatchObject({ preview: 'hi', archived: false, startedMs: 5_000 });
      const self = { ...one.self, store: 's' };
      const changes = changeLogs({
        ...{ within: (use) => use(place), self, left: leftLeases(), newId: one.newId },
        ...{ clockMs: () => performance.now(), now: Date.now },
      });
      await firstValueFrom(changes.archive(one.id));
      expect(await found()).toMatchObject({ preview: 'hi', archived: true, startedMs: 5_000, size: HEAD.length });
    }));

  it('errors for a thread that is not there', () =>
    onPlace('00000000-0000-4000-8000-000000000002', async ({ one }) => {
      await expect(firstValueFrom(takeLog(one))).rejects.toThrow(`The thread ${one.id} was removed.`);
    }));
});

describe('retakeLog', () => {
  it('emits the log as it is where nobody has written since, and nothing where somebody has', () =>
    onPlace('00000000-0000-4000-8000-000000000003', async ({ one, other }) => {
      const before = await lastValueFrom(appendText(one, NEW, HEAD));
      const again = await lastValueFrom(retakeLog(one, before));
      expect(again.seq).toBeGreaterThan(before.seq);
      await firstValueFrom(takeLog(other));
      expect(await firstValueFrom(retakeLog(one, again).pipe(toArray()))).toEqual([]);
    }));
});
