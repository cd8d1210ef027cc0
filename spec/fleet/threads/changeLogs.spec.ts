import { randomUUID } from 'node:crypto';
import { firstValueFrom, lastValueFrom, switchMap, take } from 'rxjs';
import { appendText } from '../../../src/fleet/threads/appendText';
import { leftLeases } from '../../../src/fleet/threads/lease';
import { changeLogs, listLog } from '../../../src/fleet/threads/readLogs';
import { openPlace, type ThreadPlace } from '../../../src/fleet/threads/threadPlace';
import { onLink } from '../../support/nats/fleetThreads';
import { endNatsServers, type NatsServer, startNats } from '../../support/nats/natsServer';
import { needs } from '../../support/needs/needs';
import { FACTS } from './doubles';

const { describe } = needs('nats-server');

let server: NatsServer;
beforeAll(async () => {
  server = await startNats();
});
afterAll(endNatsServers);

const HEAD = '{"timestamp":"2026-11-22T00:00:00.000Z","type":"session_meta","payload":{"id":"a"}}\n';
const idOf = (last: number) => `00000000-0000-4000-8000-${String(last).padStart(12, '0')}`;

/** Changes threads of one store, and finds them in its list. */
const worldAt = (place: ThreadPlace) => {
  const self = { host: 'h', pid: 1, store: 's' };
  const deps = { self, newId: randomUUID, left: leftLeases(), clockMs: () => performance.now(), now: () => 12_345 };
  const write = (id: string) =>
    lastValueFrom(
      appendText(
        { place, id, self, newId: randomUUID },
        { seq: 0, facts: { ...FACTS, preview: 'hi', startedMs: 5_000 }, head: '' },
        HEAD,
      ),
    );
  const found = async (id: string) => (await firstValueFrom(listLog(place))).find((one) => one.id === id);
  return { place, write, found, changes: changeLogs({ ...deps, within: (use) => use(place) }) };
};

const inStore = <T>(run: (world: ReturnType<typeof worldAt>) => Promise<T>) =>
  onLink(server.address, (link) =>
    openPlace(link, 'changes').pipe(
      switchMap((place) => run(worldAt(place))),
      take(1),
    ),
  );

describe('changeLogs', () => {
  it('archives a thread whose last message no daemon wrote, with the summary that it had', () =>
    inStore(async ({ place, write, found, changes }) => {
      const id = idOf(1);
      await write(id);
      await firstValueFrom(place.link.append({ subject: place.subjectOf(id), data: Buffer.from('{"x":1}\n') }));
      expect(await found(id)).toMatchObject({ preview: 'hi', archived: false, startedMs: 5_000 });
      await firstValueFrom(changes.archive(id));
      expect(await found(id)).toMatchObject({ preview: 'hi', archived: true, startedMs: 5_000, size: HEAD.length });
    }));

  it('forks a thread as of the whole second, as the name of a rollout has it', () =>
    inStore(async ({ write, found, changes }) => {
      await write(idOf(2));
      await firstValueFrom(changes.archive(idOf(2)));
      expect(await firstValueFrom(changes.fork(idOf(2), idOf(3)))).toMatchObject({
        startedMs: 12_000,
        archived: false,
      });
      expect(await found(idOf(3))).toMatchObject({ startedMs: 12_000, archived: false });
    }));

  it('errors for a thread that was removed, and restores only what is archived', () =>
    inStore(async ({ write, changes }) => {
      await write(idOf(4));
      await expect(firstValueFrom(changes.restore(idOf(4)))).rejects.toThrow('is not archived');
      await firstValueFrom(changes.remove(idOf(4)));
      await expect(firstValueFrom(changes.archive(idOf(4)))).rejects.toThrow();
    }));
});
