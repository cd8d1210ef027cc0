/** Logging in to a real NATS server, with what the operator set. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { nkeys } from '@nats-io/transport-node';
import { firstValueFrom, switchMap } from 'rxjs';
import { connectNats } from '../../src/fleet/link/connectNats';
import { silentLog } from '../../src/protocol/log';
import { NATS_DEFAULTS, type NatsSettings } from '../../src/settings/readNats';
import { endNatsServers, type NatsServer, retryLate, startNats } from '../support/nats/natsServer';
import { needs } from '../support/needs/needs';

const { describe } = needs('nats-server');

const key = nkeys.createUser();
const CONFIG = `authorization { users: [
  { user: "ann", password: "geheim" }
  { nkey: "${key.getPublicKey()}" }
  { user: "eve", password: "geheim", permissions: { publish: "eve.>", subscribe: "_INBOX_eve.>" } }
] }`;

let server: NatsServer;
let folder: string;
const file = (name: string, content: string | Uint8Array) => {
  writeFileSync(path.join(folder, name), content, { mode: 0o600 });
  return path.join(folder, name);
};
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'codex-rx-login-'));
  server = await startNats({ config: CONFIG });
});
afterAll(async () => {
  await endNatsServers();
  rmSync(folder, { recursive: true });
});

const find = (settings: Partial<NatsSettings>, stream = 'none') => {
  const deps = { address: server.address, settings: { ...NATS_DEFAULTS, ...settings }, log: silentLog };
  return firstValueFrom(
    connectNats(deps).pipe(
      switchMap((link) => link.findStream(stream)),
      retryLate(),
    ),
  );
};

describe('a login at NATS', () => {
  it('is made with a user and a password, also from a file', async () => {
    expect(await find({ user: 'ann', password: 'geheim' })).toBeUndefined();
    expect(await find({ user: 'ann', passwordFile: file('password', 'geheim\n') })).toBeUndefined();
  });

  it('is made with the seed of an nkey', async () => {
    expect(await find({ nkeyFile: file('seed', key.getSeed()) })).toBeUndefined();
  });

  it('is refused with the server as its reason, without the password', async () => {
    const refused = { kind: 'refused', message: expect.not.stringContaining('falsch') };
    await expect(find({ user: 'ann', password: 'falsch' })).rejects.toMatchObject(refused);
    await expect(find({})).rejects.toMatchObject({ kind: 'refused' });
  });

  it('names a file that cannot be read', async () => {
    const missing = path.join(folder, 'none');
    const reason = `nats.credentials names a file that cannot be read: ${missing} (ENOENT)`;
    await expect(find({ credentialsFile: missing })).rejects.toMatchObject({ message: reason });
  });

  it.each(['credentialsFile', 'nkeyFile', 'passwordFile', 'tokenFile', 'keyFile'])(
    'refuses a %s that others can open',
    async (key) => {
      const open = file(key, 'geheim');
      chmodSync(open, 0o640);
      const reason = new RegExp(`^nats\\.\\w+: ${open} is open to others \\(mode 640\\); close it: chmod 600 ${open}$`);
      await expect(find({ user: 'ann', [key]: open })).rejects.toMatchObject({
        message: expect.stringMatching(reason),
      });
    },
  );

  it('has no more rights than the server gives it', async () => {
    await expect(find({ user: 'eve', password: 'geheim' })).rejects.toMatchObject({ kind: 'refused' });
    const reason = expect.stringContaining('Permissions Violation for Publish to "$JS.API.STREAM.INFO.none"');
    const settings = { user: 'eve', password: 'geheim', inbox: '_INBOX_eve' };
    await expect(find(settings)).rejects.toMatchObject({ kind: 'refused', message: reason });
  });
});
