import { firstValueFrom, lastValueFrom } from 'rxjs';
import { toStream } from '../../../src/streams/awaitable';
import { endNatsServers, startNats } from '../../support/nats/natsServer';
import { needs } from '../../support/needs/needs';
import { type OwnStore, storeAt } from './support';

const { describe } = needs('nats-server');

const opened: OwnStore[] = [];
afterAll(async () => {
  for (const { kill } of opened) kill();
  await endNatsServers();
});

/** As the sample configuration grants them, without the line that makes what is absent. */
const DAEMON = [
  ...['codex-rx.threads.team.*', '$KV.codex-rx-leases-team.*', '$JS.API.INFO', '$JS.API.STREAM.INFO.*'],
  ...['$JS.API.STREAM.MSG.GET.codex-rx-threads-team', '$JS.API.STREAM.MSG.GET.KV_codex-rx-leases-team'],
  ...['CREATE', 'MSG.NEXT', 'DELETE'].map((name) => `$JS.API.CONSUMER.${name}.codex-rx-threads-team.>`),
  '$JS.API.CONSUMER.CREATE.codex-rx-threads-team', // of server 2.9
  '$JS.API.STREAM.PURGE.codex-rx-threads-team',
];
const WATCHER = DAEMON.filter((subject) => subject.startsWith('$JS.API.'));

const userOf = (name: string, publish: readonly string[]): string =>
  `{ user: ${name}, password: p, permissions: { publish: [${publish.map((one) => `"${one}"`).join(', ')}], subscribe: ["_INBOX.>"] } }`;

const users = [userOf('daemon', DAEMON), userOf('watcher', WATCHER), '{ user: admin, password: p }'].join(', ');
const start = { id: '00000000-0000-4000-8000-000000000001', cwd: '/w', provider: 'p', own: {} };

describe('the subjects of a daemon in the sample configuration', () => {
  it('are enough for all that it does with threads, and a watcher writes none', async () => {
    const server = await startNats({ config: `authorization { users: [${users}] }` });
    const as = (user: string) => {
      const own = storeAt(server.address, { name: 'team', leaseMs: 5_000, settings: { user, password: 'p' } });
      opened.push(own);
      return own.store;
    };
    await firstValueFrom(as('admin').list({ limit: 1, archived: false })); // makes the stream and the bucket
    const store = as('daemon');
    const record = await firstValueFrom(toStream(store.begin(start)));
    record.write({ type: 'event_msg', payload: { type: 'error', message: 'a' } });
    await lastValueFrom(record.endTurn(), { defaultValue: undefined });
    await lastValueFrom(record.close(), { defaultValue: undefined });
    const again = await firstValueFrom(store.resume(start.id));
    await lastValueFrom(again.record.close(), { defaultValue: undefined });
    await firstValueFrom(store.archive(start.id));
    await firstValueFrom(store.restore(start.id));
    expect(await firstValueFrom(store.list({ limit: 9, archived: false }))).toHaveLength(1);
    const watcher = as('watcher');
    expect((await firstValueFrom(watcher.read('00000000'))).summary.id).toBe(start.id);
    await expect(firstValueFrom(watcher.resume(start.id))).rejects.toThrow(/cannot be used: .*denies/);
    await expect(
      firstValueFrom(toStream(watcher.begin({ ...start, id: start.id.replace(/1$/, '2') }))),
    ).rejects.toThrow(/denies/);
    await firstValueFrom(store.remove(start.id));
  });
});
