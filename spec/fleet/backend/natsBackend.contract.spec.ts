/** The contract of backends, kept through an executor as built and a real server of NATS. */
import { randomUUID } from 'node:crypto';
import { defer, ReplaySubject } from 'rxjs';
import { natsBackend } from '../../../src/fleet/backend/executorsInFleet';
import { connectNats } from '../../../src/fleet/link/connectNats';
import { silentLog } from '../../../src/protocol/log';
import { NATS_DEFAULTS } from '../../../src/settings/readNats';
import { backendContract } from '../../contract/backend';
import { endExecutors, startExecutor } from '../../support/nats/natsExecutor';
import { endNatsServers, startNats } from '../../support/nats/natsServer';
import { needs } from '../../support/needs/needs';

const { describe } = needs('nats-server');

describe('natsBackend', () => {
  const server = { address: '' };
  const over$ = new ReplaySubject<void>(1);
  beforeAll(async () => {
    server.address = (await startNats()).address;
    await startExecutor(server.address, 'build-1');
  });
  afterAll(async () => {
    over$.next(); // connections close
    await endExecutors();
    await endNatsServers();
  });
  backendContract({
    open: (backpressure) =>
      natsBackend({
        link$: defer(() => connectNats({ address: server.address, settings: NATS_DEFAULTS, log: silentLog })),
        executor: 'build-1',
        newId: randomUUID,
        clientName: 'spec',
        clockMs: () => performance.now(),
        backpressure,
        log: silentLog,
        over$,
      }),
  });
});
