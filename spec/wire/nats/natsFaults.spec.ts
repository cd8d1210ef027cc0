/** What a person sees of a NATS server that cannot be used: the cause and the remedy, once. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { commandLine } from '../../support/daemon/peer';
import { removeFolder } from '../../support/files';
import { endNatsServers, type NatsServer, startNats } from '../../support/nats/natsServer';
import { needs } from '../../support/needs/needs';

const { it } = needs('nats-server');

const ACCOUNT = 'accounts { A { jetstream: enabled, users: [{ user: ann, password: p }] } }';
const PERMISSIONS = '{ publish: ["$JS.API.>"], subscribe: "_INBOX.>" }';
const EVE = `authorization { users: [{ user: eve, password: p, permissions: ${PERMISSIONS} }] }`;

const home = mkdtempSync(path.join(tmpdir(), 'codex-rx-nats-'));
let plain: NatsServer;
let off: NatsServer;
let limited: NatsServer;
beforeAll(async () => {
  plain = await startNats({ store: 'none' });
  off = await startNats({ config: ACCOUNT, store: 'none' });
  limited = await startNats({ config: EVE });
});
afterAll(async () => {
  await endNatsServers();
  await removeFolder(home);
});

const run = (env: Record<string, string>, ...args: string[]) => {
  const all = { PATH: process.env.PATH, HOME: home, CODEX_HOME: home, ...env };
  const { status, stdout, stderr } = spawnSync(...commandLine(...args), { env: all, encoding: 'utf8' });
  return { status, stdout, stderr };
};

it('names an address at which no server runs once, with what to look at', () => {
  expect(run({}, 'tapes', 'ls', 'nats://127.0.0.1:1')).toEqual({
    status: 2,
    stdout: '',
    stderr:
      'codex-rx tapes: nats://127.0.0.1:1: connection refused (see that a server runs there, and that the address is right)\n',
  });
});

it('names a JetStream that is off, with how it is switched on', () => {
  const remedy = /start it with -js -sd FOLDER, or write jetstream \{ store_dir: "FOLDER" \} into its configuration/;
  expect(run({}, 'tapes', 'ls', plain.address).stderr).toMatch(remedy);
  const { stderr } = run({ NATS_USER: 'ann', NATS_PASSWORD: 'p' }, 'tapes', 'ls', off.address);
  expect(stderr).toContain(`the stream codex-rx-tapes: 127.0.0.1:${off.port} runs without JetStream: `);
  expect(stderr).toMatch(remedy);
});

it('names a denied subject once', () => {
  const tape = `${limited.address}/two`;
  const { stderr } = run({ NATS_USER: 'eve', NATS_PASSWORD: 'p' }, 'record', '-o', tape, '--', 'true');
  expect(stderr.match(/codex-rx\.tapes\.two/g)).toHaveLength(2); // what was done, and the reason of the server
  expect(stderr.split('\n')).toHaveLength(2);
});

it('refuses a password that others of the machine can read, with the remedy', () => {
  const file = path.join(home, 'nats.password');
  writeFileSync(path.join(home, 'config.toml'), '[nats]\nuser = "ann"\npassword_file = "nats.password"\n');
  writeFileSync(file, 'p\n', { mode: 0o644 });
  const { status, stderr } = run({}, 'tapes', 'ls', off.address);
  rmSync(path.join(home, 'config.toml'));
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: `codex-rx tapes: ${off.address}: nats.password_file: ${file} is open to others (mode 644); close it: chmod 600 ${file}\n`,
  });
});
