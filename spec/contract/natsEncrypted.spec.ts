/** Logging in to a real NATS server over TLS, and with the credentials file of a decentralized account. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { firstValueFrom, switchMap } from 'rxjs';
import { connectNats } from '../../src/fleet/link/connectNats';
import type { NatsLink } from '../../src/fleet/link/natsLink';
import { silentLog } from '../../src/protocol/log';
import { NATS_DEFAULTS, type NatsSettings } from '../../src/settings/readNats';
import { natsAccount } from '../support/nats/natsAccount';
import { endNatsServers, type NatsServer, retryLate, startNats } from '../support/nats/natsServer';
import { needs } from '../support/needs/needs';

const { describe } = needs('nats-server');

const folder = mkdtempSync(path.join(tmpdir(), 'codex-rx-login-'));
const file = (name: string, content: string) => {
  writeFileSync(path.join(folder, name), content, { mode: 0o600 });
  return path.join(folder, name);
};
afterAll(async () => {
  await endNatsServers();
  rmSync(folder, { recursive: true });
});

const STREAM = { name: 's', subjects: ['s'], maxBytes: 0, maxAgeMs: 0, discard: 'new', replicas: 1 } as const;
/** What a program does first: it makes a stream and writes to it. */
const use = (link: NatsLink) =>
  link.ensureStream(STREAM).pipe(switchMap(() => link.append({ subject: 's', data: new Uint8Array([1]) })));

const loginOnce = (address: string, settings: Partial<NatsSettings>) =>
  connectNats({ address, settings: { ...NATS_DEFAULTS, ...settings }, log: silentLog }).pipe(switchMap(use));
const login = (address: string, settings: Partial<NatsSettings>) =>
  firstValueFrom(loginOnce(address, settings).pipe(retryLate()));

describe('a credentials file', () => {
  const { config, credentials } = natsAccount();
  let server: NatsServer;
  beforeAll(async () => {
    server = await startNats({ config });
  });

  it('logs in a user of an account, who has its JetStream', async () => {
    const credentialsFile = file('ann.creds', credentials());
    expect(await login(server.address, { credentialsFile })).toMatchObject({ seq: 1 });
  });

  it('may end its lines as Windows does', async () => {
    const credentialsFile = file('windows.creds', credentials().replaceAll('\n', '\r\n'));
    expect(await login(server.address, { credentialsFile })).toMatchObject({ isDuplicate: false });
  });

  it('gives no more rights than stand in it', async () => {
    const credentialsFile = file('eve.creds', credentials({ pub: { allow: ['eve.>'] } }));
    const reason = expect.stringContaining('Permissions Violation for Publish to "$JS.API.STREAM.INFO.s"');
    const refused = { kind: 'refused', message: reason };
    await expect(login(server.address, { credentialsFile })).rejects.toMatchObject(refused);
  });

  it('is refused of another account, and if it is none, without what stands in it', async () => {
    const other = natsAccount().credentials();
    const seed = /SU[A-Z0-9]{20,}/.exec(other)?.[0] ?? 'none';
    const refused = { kind: 'refused', message: expect.not.stringContaining(seed) };
    const credentialsFile = file('other.creds', other);
    await expect(login(server.address, { credentialsFile })).rejects.toMatchObject(refused);
    await expect(login(server.address, {})).rejects.toMatchObject({ kind: 'refused' });
    const broken = file('broken.creds', `${seed}\n`);
    const why = { message: expect.not.stringContaining(seed) };
    await expect(login(server.address, { credentialsFile: broken })).rejects.toMatchObject(why);
  });
});

describe('TLS', () => {
  const fixture = (name: string) => path.join(__dirname, '../fixtures/tls', name);
  const [caFile, keyFile] = [fixture('model.test.pem'), fixture('model.test.key')]; // signed by itself, for localhost
  const tls = (more: string) => `tls { cert_file: "${caFile}", key_file: "${keyFile}", ${more} timeout: 5 }`;
  const atHost = ({ port }: NatsServer, host = 'localhost') => `tls://${host}:${port}`;

  it('connects to a server whose signer is in the file of the operator', async () => {
    const server = await startNats({ config: tls('') });
    expect(await login(atHost(server), { caFile })).toEqual({ seq: 1, isDuplicate: false });
  });

  it.each([
    ['nobody known has signed', 'localhost', {}],
    ['another has signed', 'localhost', { caFile: fixture('other.pem') }],
    ['shows no certificate of its IP', '127.0.0.1', { caFile }],
  ])('connects to no server that %s', async (_, host, settings) => {
    const server = await startNats({ config: tls('') });
    await expect(login(atHost(server, host), settings)).rejects.toMatchObject({
      name: 'NatsError',
      message: expect.stringContaining('certificate'),
    });
  });

  it('connects to no server without it', async () => {
    const server = await startNats();
    await expect(login(atHost(server), { caFile })).rejects.toMatchObject({ name: 'NatsError' });
  });

  it('shows a certificate of ours to a server that asks for one', async () => {
    const server = await startNats({ config: tls(`ca_file: "${caFile}", verify: true,`) });
    const settings = { caFile, certFile: caFile, keyFile: file('key', readFileSync(keyFile, 'utf8')) };
    expect(await login(atHost(server), settings)).toEqual({ seq: 1, isDuplicate: false });
    const refused = firstValueFrom(loginOnce(atHost(server), { caFile })); // the client waits 5 s for what never comes
    await expect(refused).rejects.toMatchObject({
      name: 'NatsError',
      message: expect.stringContaining('name its files by cert and key under [nats]'),
    });
  });
});
