import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { switchMap } from 'rxjs';
import { textOf } from '../../support/daemon/legacy';
import { endServers, type Json, type Peer } from '../../support/daemon/peer';
import { openStallingRoad } from '../../support/exec/stallingRoad';
import { openHome } from '../../support/home';
import { cutScene } from '../../support/load/crashes';
import {
  begin,
  linesOf,
  onLink,
  reply,
  startDaemon,
  talkIn,
  threadOf,
  withLeases,
} from '../../support/nats/fleetThreads';
import { endNatsServers, startNats, startNatsCluster } from '../../support/nats/natsServer';
import { needs } from '../../support/needs/needs';

const { describe } = needs('nats-server');

afterEach(async () => {
  await endServers();
  await endNatsServers();
});

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A turn that waits ends when there is a file. */
const script = {
  scenes: [
    cutScene,
    {
      when: 'wait',
      answers: [
        { items: [{ call: 'shell', args: { command: ['sh', '-c', 'until [ -e go ]; do sleep 0.02; done'] } }] },
        { items: [{ text: 'waited: {{prompt}}' }] },
      ],
    },
  ],
  otherwise: { items: [{ text: 'You said: {{prompt}}' }] },
};

/** Calls again while another daemon has the thread, while a lease that could not be given back runs out, or while the cluster elects a leader. */
const patient = async (call: () => Promise<Json>, triesLeft = 60): Promise<Json> => {
  const answer = await call();
  const isBusy = answer.result?.isError && /is in use by|is open in this server|cannot be used/.test(textOf(answer));
  if (!isBusy || triesLeft === 0) return answer;
  await later(250);
  return patient(call, triesLeft - 1);
};

const cut = (peer: Peer, threadId: string, round: number): void =>
  peer.send({
    id: `cut ${round}`,
    method: 'tools/call',
    params: { name: 'codex-reply', arguments: { threadId, prompt: `cut ${round}` } },
  });

describe('threads on NATS servers', () => {
  it('survive 30 daemons that are killed at random points, each on another machine', async () => {
    const server = await startNats();
    await withLeases(server.address, 'crash', 2_500); // a busy machine renews it in time
    const open = () => startDaemon({ store: `${server.address}/crash`, script, home: openHome() });
    const answered: string[] = [];
    let threadId: string | undefined;
    for (let round = 0; round < 30; round += 1) {
      const peer = await open();
      const whole = `whole ${round}`;
      const id = threadId;
      const answer = await patient(() => (id === undefined ? begin(peer, whole) : reply(peer, id, whole)));
      expect(textOf(answer)).toBe(`You said: ${whole}`);
      answered.push(whole);
      threadId = threadOf(answer);
      cut(peer, threadId, round);
      await later(Math.random() * 60);
      peer.child.kill('SIGKILL');
      await peer.ended;
    }
    const talk = talkIn(await linesOf(server.address, 'crash', threadId ?? ''));
    expect(talk.filter((text) => text.startsWith('whole'))).toEqual(answered);
    const prompts = talk.filter((text) => /^(whole|cut) /.test(text)).map((text) => Number(text.split(' ')[1]));
    expect(prompts).toEqual([...prompts].sort((a, b) => a - b)); // no lines of two daemons in between each other
  }, 300_000);

  it('go on in a cluster of three whose leader is killed in the middle of a turn', async () => {
    const servers = await startNatsCluster();
    const addresses = servers.map(({ address }) => address.replace('nats://', '')).join(',');
    const address = `nats://${addresses}`;
    const made = () =>
      onLink(address, (link) =>
        link
          .ensureStream({
            name: 'codex-rx-threads-three',
            subjects: ['codex-rx.threads.three.*'],
            maxBytes: 0,
            maxAgeMs: 0,
            discard: 'new',
            replicas: 3,
          })
          .pipe(
            switchMap(() =>
              link.ensureBucket({ name: 'codex-rx-leases-three', maxBytes: 0, maxAgeMs: 30_000, replicas: 3 }),
            ),
          ),
      );
    for (let left = 60; left > 0; left -= 1) {
      const isMade = await made().then(
        () => true,
        () => false,
      );
      if (isMade) break;
      await later(500);
    }
    const peer = await startDaemon({ store: `${address}/three`, script });
    const id = threadOf(await begin(peer, 'first'));
    for (const [round, { kill, start, current }] of servers.entries()) {
      const waiting = reply(peer, id, `wait ${round}`);
      await peer.nextEvent('exec_command_begin');
      await kill(); // one of them is the leader of the stream
      writeFileSync(join(peer.home.work, 'go'), '');
      expect(textOf(await waiting)).toBe(`waited: wait ${round}`);
      await start();
      await current();
    }
    const lines = (await linesOf(address, 'three', id)).map((line) => JSON.stringify(line));
    expect(new Set(lines).size).toBe(lines.length);
    const rounds = servers.flatMap((_, round) => [`wait ${round}`, `waited: wait ${round}`]);
    expect(talkIn(await linesOf(address, 'three', id))).toEqual(['first', 'You said: first', ...rounds]);
  }, 240_000);

  it('go on with a turn whose road to the server stalls for 20 s, each line once', async () => {
    const server = await startNats();
    await withLeases(server.address, 'cut', 60_000);
    const road = await openStallingRoad(server.address);
    const peer = await startDaemon({ store: `${road.address}/cut`, script });
    const id = threadOf(await begin(peer, 'first'));
    const waiting = reply(peer, id, 'wait');
    await peer.nextEvent('exec_command_begin');
    road.stall();
    writeFileSync(join(peer.home.work, 'go'), '');
    await peer.nextEvent('agent_message');
    await later(20_000); // the client gives its connection up and dials into the same silence
    road.go();
    expect(textOf(await waiting)).toBe('waited: wait');
    expect(talkIn(await linesOf(server.address, 'cut', id))).toEqual([
      'first',
      'You said: first',
      'wait',
      'waited: wait',
    ]);
    await peer.end();
    road.close();
  });

  it('end a turn whose server does not answer for the time of a lease, and go on when it does', async () => {
    const server = await startNats();
    await withLeases(server.address, 'frozen', 2_000);
    const peer = await startDaemon({ store: `${server.address}/frozen`, script });
    const id = threadOf(await begin(peer, 'first'));
    const waiting = reply(peer, id, 'wait');
    await peer.nextEvent('exec_command_begin');
    await later(300);
    server.freeze();
    expect(textOf(await waiting)).toMatch(
      /The lease of the thread .* is over: .* did not let it be renewed in time \(2 s\)/,
    );
    server.thaw();
    await later(2_500);
    expect(textOf(await patient(() => reply(peer, id, 'second')))).toBe('You said: second');
  });
});
