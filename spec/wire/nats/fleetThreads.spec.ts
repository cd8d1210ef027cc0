import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { textOf } from '../../support/daemon/legacy';
import { commandLine, endServers } from '../../support/daemon/peer';
import { openStallingRoad } from '../../support/exec/stallingRoad';
import { openHome } from '../../support/home';
import {
  begin,
  type DaemonOptions,
  linesOf,
  messagesOf,
  reply,
  startDaemon,
  talkIn,
  threadOf,
  withLeases,
} from '../../support/nats/fleetThreads';
import { endNatsServers, type NatsServer, startNats } from '../../support/nats/natsServer';
import { needs } from '../../support/needs/needs';

const { describe } = needs('nats-server');

let server: NatsServer;
let stores = 0;
beforeAll(async () => {
  server = await startNats();
});
afterAll(endNatsServers);
afterEach(endServers);

/** Long enough for a busy machine to renew it in time. */
const LEASE_MS = 10_000;
/** Short if a spec waits for its end. */
const BRIEF_LEASE_MS = 2_500;
const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Commands that wait for a file in the folder of the daemon. */
const script = {
  scenes: [
    {
      when: 'wait',
      answers: [
        {
          items: [
            {
              call: 'shell',
              args: { command: ['sh', '-c', 'until [ -e go ]; do sleep 0.02; done'], timeout_ms: 50_000 },
            },
          ],
        },
        { items: [{ text: 'waited: {{prompt}}' }] },
      ],
    },
  ],
  otherwise: { items: [{ text: 'You talk: {{prompt}}' }] },
};

/** A store of its own for each spec. */
const newStore = async (leaseMs = LEASE_MS) => {
  stores += 1;
  const name = `wire${stores}`;
  await withLeases(server.address, name, leaseMs);
  const store = `${server.address}/${name}`;
  const open = (own: Partial<DaemonOptions> = {}) => startDaemon({ store, script, ...own });
  return { name, store, open, talk: async (id: string) => talkIn(await linesOf(server.address, name, id)) };
};

/** Waits until the server has a text of a thread, in the middle of a turn. */
const written = async (talk: (id: string) => Promise<string[]>, id: string, text: string): Promise<void> => {
  while (!(await talk(id)).includes(text)) await later(20);
};

describe('threads on a NATS server', () => {
  it('are gone on with by any machine, in turn, and are no files', async () => {
    const { open, talk } = await newStore();
    const [one, other] = await Promise.all([open(), open()]);
    const id = threadOf(await begin(one, 'first'));
    expect(textOf(await reply(other, id, 'second'))).toBe('You talk: second');
    expect(textOf(await reply(one, id, 'third'))).toBe('You talk: third');
    const each = ['first', 'second', 'third'];
    expect(await talk(id)).toEqual(each.flatMap((prompt) => [prompt, `You talk: ${prompt}`]));
    expect(existsSync(join(one.home.path, '.codex/sessions'))).toBe(false);
    await Promise.all([one.end(), other.end()]);
  });

  it('are listed, shown, archived and removed by the command line', async () => {
    const { open, store } = await newStore();
    const peer = await open();
    const id = threadOf(await begin(peer, 'first'));
    await peer.end();
    const run = (...args: string[]) => {
      const [program, rest] = commandLine('threads', ...args, '-c', `thread_store="${store}"`);
      return spawnSync(program, rest, { env: peer.home.env, encoding: 'utf8' });
    };
    expect(run('list').stdout).toMatch(new RegExp(`${id} .*first`));
    expect(run('show', id.slice(0, 8)).stdout).toContain(`${store}/rollout-`);
    expect(run('archive', id).stdout).toBe(`archived ${id}\n`);
    expect([run('list').stdout, run('list').stderr]).toEqual([
      '',
      `codex-rx threads: there are no threads in ${store}\n`,
    ]);
    expect(run('rm', id).stdout).toBe(`removed ${id}\n`);
    expect(run('show', id)).toMatchObject({ status: 1, stderr: expect.stringContaining('no thread has the id') });
  });

  it('belong to one daemon at a time: of two that race one gets the reason', async () => {
    const { open, talk } = await newStore();
    const peers = await Promise.all([open(), open()]);
    const [one, other] = peers;
    const id = threadOf(await begin(one, 'first'));
    const racing = peers.map((peer, at) => reply(peer, id, `wait ${at}`));
    const refused = await Promise.race(racing);
    expect(textOf(refused)).toMatch(new RegExp(`The thread ${id} is in use by the process \\d+ of the host `));
    for (const { home } of [one, other]) writeFileSync(join(home.work, 'go'), '');
    const results = (await Promise.all(racing)).map(textOf);
    const winner = results.findIndex((text) => text.startsWith('waited'));
    expect(results.filter((text) => text.startsWith('waited'))).toHaveLength(1);
    expect(await talk(id)).toEqual(['first', 'You talk: first', `wait ${winner}`, `waited: wait ${winner}`]);
  });

  it('are free after the lease if their daemon was killed in a turn, whatever the clock of the next shows', async () => {
    const { open, talk } = await newStore(BRIEF_LEASE_MS);
    const killed = await open();
    const home = killed.home.write('skew.js', 'const now = Date.now; Date.now = () => now() - 7_200_000;');
    const next = await open({ env: { NODE_OPTIONS: `--require ${home}` } });
    const id = threadOf(await begin(killed, 'first'));
    killed.send({
      id: 'x',
      method: 'tools/call',
      params: { name: 'codex-reply', arguments: { threadId: id, prompt: 'wait' } },
    });
    await killed.nextEvent('exec_command_begin');
    await written(talk, id, 'wait');
    killed.child.kill('SIGKILL');
    expect(textOf(await reply(next, id, 'too early'))).toMatch(/if that process has died, in \d s/);
    await later(2 * BRIEF_LEASE_MS);
    expect(textOf(await reply(next, id, 'second'))).toBe('You talk: second');
    expect(await talk(id)).toEqual(['first', 'You talk: first', 'wait', 'second', 'You talk: second']);
  });

  it('are not written by a daemon that comes back after the end of its lease; its call gets the reason', async () => {
    const { open, name, talk } = await newStore(BRIEF_LEASE_MS);
    const [old, next] = [await open(), await open()];
    const id = threadOf(await begin(old, 'first'));
    const waiting = reply(old, id, 'wait');
    await old.nextEvent('exec_command_begin');
    await written(talk, id, 'wait');
    old.child.kill('SIGSTOP');
    await later(2 * BRIEF_LEASE_MS);
    expect(textOf(await reply(next, id, 'second'))).toBe('You talk: second');
    old.child.kill('SIGCONT');
    const refused = await waiting;
    expect(textOf(refused)).toMatch(/The lease of the thread .* is over|was taken over by the process \d+ of the host/);
    writeFileSync(join(old.home.work, 'go'), '');
    expect(await talk(id)).toEqual(['first', 'You talk: first', 'wait', 'second', 'You talk: second']);
    const writers = (await messagesOf(server.address, name, id)).map(({ headers }) => headers['Codex-Rx-Holder']);
    expect(writers.lastIndexOf(writers[0])).toBeLessThan(writers.findIndex((one) => one !== writers[0]));
    expect(textOf(await reply(old, id, 'third'))).toBe('You talk: third');
    expect(readdirSync(old.home.work)).toContain('go');
  });

  it('go on through a restart of the server in the middle of a turn, each line once', async () => {
    const { open, name, talk } = await newStore(20_000);
    const peer = await open();
    const id = threadOf(await begin(peer, 'first'));
    const waiting = reply(peer, id, 'wait');
    await peer.nextEvent('exec_command_begin');
    await server.kill();
    writeFileSync(join(peer.home.work, 'go'), '');
    await later(300);
    await server.start();
    expect(textOf(await waiting)).toBe('waited: wait');
    expect(await talk(id)).toEqual(['first', 'You talk: first', 'wait', 'waited: wait']);
    const lines = (await linesOf(server.address, name, id)).map((line) => JSON.stringify(line));
    expect(new Set(lines).size).toBe(lines.length);
    expect(textOf(await reply(peer, id, 'again'))).toBe('You talk: again');
  });

  it('go on over a road that stalls for a part of the lease, each line once', async () => {
    const { open, name, talk } = await newStore(20_000);
    const road = await openStallingRoad(server.address);
    const peer = await open({ store: `${road.address}/${name}` });
    const id = threadOf(await begin(peer, 'first'));
    const waiting = reply(peer, id, 'wait');
    await peer.nextEvent('exec_command_begin');
    road.stall();
    writeFileSync(join(peer.home.work, 'go'), '');
    await peer.nextEvent('agent_message'); // its lines are on the road
    await later(500);
    road.go();
    expect(textOf(await waiting)).toBe('waited: wait');
    expect(await talk(id)).toEqual(['first', 'You talk: first', 'wait', 'waited: wait']);
    await peer.end();
    road.close();
  });

  it('end over a road that stalls for longer than the lease, with the reason, and go on after it', async () => {
    const { open, name, talk } = await newStore(BRIEF_LEASE_MS);
    const road = await openStallingRoad(server.address);
    const peer = await open({ store: `${road.address}/${name}` });
    const id = threadOf(await begin(peer, 'first'));
    const waiting = reply(peer, id, 'wait');
    await peer.nextEvent('exec_command_begin');
    await written(talk, id, 'wait');
    road.stall();
    expect(textOf(await waiting)).toMatch(/The lease of the thread .* is over/);
    const other = await open();
    await later(BRIEF_LEASE_MS); // of which a tenth is left, at most
    expect(textOf(await reply(other, id, 'second'))).toBe('You talk: second');
    road.go();
    expect(textOf(await reply(peer, id, 'third'))).toBe('You talk: third');
    const turns = ['second', 'You talk: second', 'third', 'You talk: third'];
    expect(await talk(id)).toEqual(['first', 'You talk: first', 'wait', ...turns]);
    await Promise.all([peer.end(), other.end()]);
    road.close();
  });

  it('are kept in a domain of JetStream, by daemons whose clocks are hours apart', async () => {
    const hub = await startNats({ domain: 'hub' });
    const store = `${hub.address}/far`;
    const home = openHome();
    const skew = home.write('skew.js', 'const now = Date.now; Date.now = () => now() + 7_200_000;');
    const env = { NATS_JS_DOMAIN: 'hub' };
    const ahead = await startDaemon({ store, script, home, env: { ...env, NODE_OPTIONS: `--require ${skew}` } });
    const other = await startDaemon({ store, script, env });
    const id = threadOf(await begin(ahead, 'first'));
    const waiting = reply(ahead, id, 'wait');
    await ahead.nextEvent('exec_command_begin');
    expect(textOf(await reply(other, id, 'second'))).toMatch(/is in use by the process \d+ .*, in 20 s/);
    writeFileSync(join(ahead.home.work, 'go'), '');
    expect(textOf(await waiting)).toBe('waited: wait');
    expect(textOf(await reply(other, id, 'third'))).toBe('You talk: third');
    expect(textOf(await reply(ahead, id, 'fourth'))).toBe('You talk: fourth');
    await Promise.all([ahead.end(), other.end()]);
  });

  it('are refused with the reason if no server answers', async () => {
    const peer = await startDaemon({ store: 'nats://127.0.0.1:1', script });
    expect(textOf(await begin(peer, 'first'))).toMatch(
      /The thread store nats:\/\/127\.0\.0\.1:1 cannot be used: .*see that a server runs there.*\. Check the address in thread_store of config\.toml\./,
    );
  });
});
