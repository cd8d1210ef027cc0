import { randomUUID } from 'node:crypto';
import { defer, lastValueFrom, toArray } from 'rxjs';
import { natsBackend } from '../../../src/executor/nats';
import { noBackpressure } from '../../../src/streams';
import { connectNats, NATS_DEFAULTS } from '../../../src/transport/nats';
import { endExecutors, startExecutor } from '../../support/natsExecutor';
import { endNatsServers, startNats } from '../../support/natsServer';
const t0 = Date.now();
const log = (level: string, text: string, more?: object) => process.stderr.write(`${Date.now() - t0} ${level} ${text} ${JSON.stringify(more)}\n`);
it('debug', async () => {
  const { address } = await startNats();
  const child = await startExecutor(address, 'build-1', '--log-level', 'debug');
  child.stderr?.on('data', (text) => process.stderr.write(`EXEC ${Date.now() - t0} ${text}`));
  const backend = natsBackend({
    link$: defer(() => connectNats({ address, settings: NATS_DEFAULTS, log: log as never })),
    executor: 'build-1', newId: randomUUID, clientName: 'spec', backpressure: noBackpressure, log: log as never, idleMs: 100,
  });
  const size = 5 * 1024 * 1024;
  for (const script of [`head -c ${size} /dev/zero | tr '\\0' x; head -c ${size} /dev/zero >&2`, 'head -c 200000000 /dev/zero']) {
    const events = await lastValueFrom(backend.start({ argv: ['/bin/sh', '-c', script], cwd: '/', env: { PATH: '/usr/bin:/bin' } }).pipe(toArray()));
    const last = events.at(-1);
    log('DONE', '', { last, n: events.length });
  }
  await endExecutors(); await endNatsServers();
}, 60000);
