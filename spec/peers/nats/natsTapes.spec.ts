/** Tapes on NATS when servers fail: a cluster loses its leader, a server does not answer for a while, a stream is full. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { firstValueFrom, lastValueFrom, retry, switchMap, timeout } from 'rxjs';
import { copyTape } from '../../../src/app/tapes/natsTapes';
import type { NatsStreamSpec } from '../../../src/fleet/link/natsLink';
import {
  type ClusterServer,
  endNatsServers,
  type NatsServer,
  startNats,
  startNatsCluster,
} from '../../support/nats/natsServer';
import { recordedTo, tapeDeps } from '../../support/nats/natsTapes';
import { needs } from '../../support/needs/needs';

const { it } = needs('nats-server');

jest.setTimeout(120_000);

const folder = mkdtempSync(path.join(tmpdir(), 'codex-rx-tapes-'));
const onDisk = (name: string) => path.join(folder, name);
afterEach(endNatsServers);
afterAll(() => rmSync(folder, { recursive: true }));

const wait = (ms: number) => new Promise((wake) => setTimeout(wake, ms));
const STREAM: NatsStreamSpec = {
  name: 'codex-rx-tapes',
  subjects: ['codex-rx.tapes.*'],
  maxBytes: 0,
  maxAgeMs: 0,
  discard: 'new',
  replicas: 1,
};

/** Makes the stream as an operator would, as soon as the servers can. */
const makeStream = (address: string, own: Partial<NatsStreamSpec>) =>
  firstValueFrom(
    tapeDeps.nats(address).pipe(
      switchMap((link) => link.ensureStream({ ...STREAM, ...own }).pipe(retry({ delay: 500 }))),
      timeout(30_000),
    ),
  );

const copied = async (from: string, name: string): Promise<string> => {
  await lastValueFrom(copyTape(tapeDeps, from, onDisk(name)));
  return readFileSync(onDisk(name), 'utf8');
};

const addressOf = (servers: readonly NatsServer[]) => `nats://${servers.map(({ port }) => `127.0.0.1:${port}`).join()}`;

it('loses no line and has none twice when the servers of a cluster are killed, one after the other', async () => {
  const servers = await startNatsCluster();
  const address = addressOf(servers);
  await makeStream(address, { replicas: 3 });
  const pause = async (round: number) => {
    const victim = servers[Math.floor(round / 20) % servers.length] as ClusterServer;
    if (round % 20 === 5) await victim.kill();
    if (round % 20 === 15) await victim.start();
    // An election may take any time: until then nothing is acknowledged.
    if (round === 39 || round === 59) await Promise.all(servers.map(({ current }) => current()));
    await wait(100);
  };
  expect(await recordedTo(`${address}/cluster`, { rounds: 60, pause })).toBeUndefined();
  await recordedTo(onDisk('cluster'), { rounds: 60 });
  const text = await copied(`${address}/cluster`, 'cluster-copy');
  expect(text.length).toBe(readFileSync(onDisk('cluster'), 'utf8').length);
  expect(text === readFileSync(onDisk('cluster'), 'utf8')).toBe(true); // too long to be shown
});

it('waits for a server that does not answer for 20 s', async () => {
  const server = await startNats();
  const pause = async (round: number) => {
    if (round === 3) server.freeze();
    if (round === 5) {
      await wait(20_000);
      server.thaw();
    }
  };
  expect(await recordedTo(`${server.address}/frozen`, { rounds: 50, pause })).toBeUndefined();
  await recordedTo(onDisk('frozen'), { rounds: 50 });
  expect(await copied(`${server.address}/frozen`, 'frozen-copy')).toBe(readFileSync(onDisk('frozen'), 'utf8'));
});

it('ends a tape with a reason if the stream is full, and keeps its beginning', async () => {
  const server = await startNats();
  await makeStream(server.address, { maxBytes: 200_000 });
  const trouble = await recordedTo(`${server.address}/full`, { rounds: 50, pause: () => wait(10) });
  expect(trouble).toMatch(/maximum bytes exceeded.*raise its limits/);
  await recordedTo(onDisk('full'), { rounds: 50 });
  const whole = readFileSync(onDisk('full'), 'utf8');
  const stored = await copied(`${server.address}/full`, 'full-copy');
  expect(stored.length).toBeGreaterThan(50_000);
  expect(whole.startsWith(stored)).toBe(true);
});
