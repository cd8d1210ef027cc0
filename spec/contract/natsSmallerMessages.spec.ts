/** What becomes of output when a NATS server is restarted that takes smaller messages. */
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { firstValueFrom, ReplaySubject, reduce } from 'rxjs';
import { natsBackend } from '../../src/fleet/backend/executorsInFleet';
import { connectNats } from '../../src/fleet/link/connectNats';
import { silentLog } from '../../src/protocol/log';
import { NATS_DEFAULTS } from '../../src/settings/readNats';
import { noBackpressure } from '../../src/streams/backpressure';
import { endExecutors, startExecutor } from '../support/nats/natsExecutor';
import { endNatsServers, startNats } from '../support/nats/natsServer';
import { needs } from '../support/needs/needs';

const { it } = needs('nats-server');

const over$ = new ReplaySubject<void>(1);
afterAll(async () => {
  over$.next(); // connections close
  await endExecutors();
  await endNatsServers();
});

/** Writes so many bytes as fast as they are taken. */
const WRITE = (bytes: number) => [process.execPath, '-e', `process.stdout.write("y".repeat(${bytes}))`];

it('all arrives once, of processes that ran before and of those that start after', async () => {
  const server = await startNats();
  await startExecutor(server.address, 'build-1');
  const backend = natsBackend({
    link$: connectNats({ address: server.address, settings: NATS_DEFAULTS, log: silentLog }),
    executor: 'build-1',
    newId: randomUUID,
    clientName: 'spec',
    clockMs: () => performance.now(),
    backpressure: noBackpressure,
    log: silentLog,
    over$,
  });
  const bytesOf = (bytes: number) =>
    firstValueFrom(
      backend
        .start({ argv: WRITE(bytes), cwd: '/', env: {} })
        .pipe(reduce((sum, event) => sum + (event.kind === 'output' ? event.chunk.length : 0), 0)),
    );
  const before = bytesOf(30_000_000);
  await bytesOf(1_000_000); // so the other one is under way
  await server.stop();
  appendFileSync(join(server.folder, 'server.conf'), 'max_payload: 131072\n');
  await server.start();
  expect([await bytesOf(3_000_000), await before]).toEqual([3_000_000, 30_000_000]);
});
