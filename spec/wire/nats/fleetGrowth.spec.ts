/** The sample configuration of a server with another executor, added as docs/fleet.md describes while the fleet works. */
import { type ChildProcess, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { defer, filter, firstValueFrom, lastValueFrom, switchMap, toArray } from 'rxjs';
import { natsBackend } from '../../../src/fleet/backend/executorsInFleet';
import { connectNats } from '../../../src/fleet/link/connectNats';
import { silentLog } from '../../../src/protocol/log';
import { NATS_DEFAULTS } from '../../../src/settings/readNats';
import { noBackpressure } from '../../../src/streams/backpressure';
import { commandLine } from '../../support/daemon/peer';
import { removeFolder } from '../../support/files';
import { endExecutors, startExecutorIn } from '../../support/nats/natsExecutor';
import { endNatsServers, type NatsServer, startNats } from '../../support/nats/natsServer';
import { needs } from '../../support/needs/needs';

const { it } = needs('nats-server');

const home = mkdtempSync(path.join(tmpdir(), 'codex-rx-growth-'));
afterEach(endExecutors);
afterAll(endNatsServers);
afterAll(() => removeFolder(home));

const PASSWORDS = { DAEMON: 'd', EXECUTOR: 'e', WATCHER: 'w', ADMIN: 'a', SECOND: 's' };
const sample = readFileSync('docs/examples/nats-server.conf', 'utf8');

/** A copy of the block EXECUTOR, and each other line of build-1 once more: as docs/fleet.md says, by hand. */
const withSecond = (): string => {
  const [block = ''] = /^EXECUTOR = \{\n[\s\S]*?\n\}\n/m.exec(sample) ?? [];
  const toSecond = (text: string) =>
    text
      .replaceAll('build-1', 'build-2')
      .replace('$EXECUTOR_PASSWORD, permissions: $EXECUTOR', '$SECOND_PASSWORD, permissions: $EXECUTOR_2');
  const repeated = (text: string) => text.replace(/^.*build-1.*\n/gm, (line) => `${line}${toSecond(line)}`);
  const [before = '', after = ''] = sample.split(block);
  return `${repeated(before)}${block}${toSecond(block).replace('EXECUTOR', 'EXECUTOR_2')}${repeated(after)}`;
};

const loginOf = (user: string, password: string) => ({
  NATS_USER: user,
  NATS_PASSWORD: password,
  NATS_INBOX_PREFIX: `_INBOX_${user}`,
  CODEX_HOME: home,
});

const makeStream = ({ address }: NatsServer, name: string) => {
  const [program, argv] = commandLine('exec-server', '--listen', address, '--name', name, '--make-stream');
  const env = { ...process.env, ...loginOf('admin', PASSWORDS.ADMIN) };
  const { stdout, stderr } = spawnSync(program, argv, { env, encoding: 'utf8' });
  expect([stdout, stderr]).toEqual([`codex-rx-exec-${name}\n`, '']);
};

const startAs = ({ address }: NatsServer, name: string, password: string): Promise<ChildProcess> =>
  startExecutorIn(loginOf(name, password), address, name, '--pool', 'linux');

const settings = { ...NATS_DEFAULTS, user: 'daemon', password: PASSWORDS.DAEMON, inbox: '_INBOX_daemon' };

/** The text of a process on an executor. */
const textFrom = async ({ address }: NatsServer, executor: string): Promise<string> => {
  const link$ = defer(() => connectNats({ address, settings, log: silentLog }));
  const backend = natsBackend({
    link$,
    executor,
    newId: randomUUID,
    clientName: 'spec',
    clockMs: () => performance.now(),
    backpressure: noBackpressure,
    log: silentLog,
    idleMs: 10,
  });
  const event$ = backend
    .start({ argv: ['/bin/echo', executor], cwd: '/', env: {} })
    .pipe(filter(({ kind }) => kind !== 'started'));
  const events = await lastValueFrom(event$.pipe(toArray()));
  return events.map((one) => (one.kind === 'output' ? Buffer.from(one.chunk).toString() : one.kind)).join(' ');
};

/** Why the server stores no output of an executor under that login; undefined if it does. */
const refusalOf = ({ address }: NatsServer, user: string, password: string, executor: string) => {
  const own = { ...NATS_DEFAULTS, user, password, inbox: `_INBOX_${user}` };
  const message = { subject: `codex-rx.events.${executor}.s.p`, data: new Uint8Array(1) };
  return firstValueFrom(
    connectNats({ address, settings: own, log: silentLog }).pipe(switchMap((link) => link.append(message))),
  ).then(
    () => undefined,
    (error: Error) => error.message,
  );
};

it('a second executor serves beside the first, and neither writes the output of the other', async () => {
  for (const [role, password] of Object.entries(PASSWORDS)) process.env[`${role}_PASSWORD`] = password;
  const server = await startNats({ config: sample });
  makeStream(server, 'build-1');
  await startAs(server, 'build-1', PASSWORDS.EXECUTOR);
  await expect(startAs(server, 'build-2', PASSWORDS.SECOND)).rejects.toThrow(/Authorization/i);
  await server.stop();
  const file = path.join(server.folder, 'server.conf');
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(sample, () => withSecond()),
  );
  await server.start();
  makeStream(server, 'build-2');
  await startAs(server, 'build-2', PASSWORDS.SECOND);
  expect(await textFrom(server, 'build-2')).toBe('build-2\n exited closed');
  expect(await textFrom(server, 'build-1')).toBe('build-1\n exited closed');
  expect(await refusalOf(server, 'build-2', PASSWORDS.SECOND, 'build-1')).toMatch(/Permissions Violation/);
  expect(await refusalOf(server, 'build-1', PASSWORDS.EXECUTOR, 'build-2')).toMatch(/Permissions Violation/);
});
