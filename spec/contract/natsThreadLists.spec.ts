/** A list of threads against a real server, where more last messages are read than one request for them has room for. */
import { concatMap, firstValueFrom, from, last, switchMap } from 'rxjs';
import { connectNats } from '../../src/fleet/link/connectNats';
import type { NatsLink } from '../../src/fleet/link/natsLink';
import { listLog } from '../../src/fleet/threads/readLogs';
import { type ThreadPlace, toThreadHeaders } from '../../src/fleet/threads/threadPlace';
import { silentLog } from '../../src/protocol/log';
import { NATS_DEFAULTS } from '../../src/settings/readNats';
import { FACTS } from '../fleet/threads/doubles';
import { endNatsServers, startNats } from '../support/nats/natsServer';
import { needs } from '../support/needs/needs';

const { it } = needs('nats-server');

afterAll(endNatsServers);

const STREAM = 'codex-rx-threads-many';
const COUNT = 60;

const fill = (link: NatsLink) =>
  link
    .ensureStream({
      name: STREAM,
      subjects: ['many.*'],
      maxBytes: 0,
      maxAgeMs: 0,
      discard: 'new',
      replicas: 1,
    })
    .pipe(
      switchMap(() => from(Array.from({ length: COUNT }, (_, i) => `many.thread-${i}`))),
      concatMap((subject) => {
        const headers = toThreadHeaders({ ...FACTS, startedMs: 5 }, { host: 'h', pid: 1 });
        return link.append({ subject, data: new Uint8Array(100_000), headers });
      }),
      last(),
    );

it('has all threads, however long their last messages are', async () => {
  const server = await startNats();
  const list$ = connectNats({ address: server.address, settings: NATS_DEFAULTS, log: silentLog }).pipe(
    switchMap((link) => {
      const place = { link, stream: STREAM, subjects: 'many', address: server.address } as unknown as ThreadPlace;
      return fill(link).pipe(switchMap(() => listLog(place)));
    }),
  );
  expect(await firstValueFrom(list$)).toHaveLength(COUNT);
}, 20_000);
