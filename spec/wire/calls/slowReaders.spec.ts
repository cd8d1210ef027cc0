import { join } from 'node:path';
import { codexCall, greet, textOf } from '../../support/daemon/legacy';
import { endServers, type Peer, startServer } from '../../support/daemon/peer';
import { family, script } from '../../support/family';
import { openHome } from '../../support/home';
import { gone, memoryMb, pidsIn, settled, until } from '../../support/processes';
import { closeModels, deltaOf, message, startModel } from '../../support/servers/modelServer';

afterEach(endServers);
afterEach(closeModels);

const MB = 1_048_576;
/** How much more than at its start a server may hold while its client does not read. A start takes 46 MB on Node 20, 57 MB on 26. */
const HELD_MB = 100;

/** Makes requests long enough to fill every buffer on their way. */
const pad = 'x'.repeat(500);
const lists = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ id: i, method: 'tools/list', params: { _meta: { pad } } }));
const stall = ({ child }: Peer) => void child.stdout?.pause();
const readOn = ({ child }: Peer) => void child.stdout?.resume();
const pidOf = ({ child }: Peer) => child.pid as number;

describe('a client that stops reading', () => {
  it('gets every answer, in order, once it reads again; meanwhile the server takes no more than it can hold', async () => {
    const peer = startServer({ reads: false });
    peer.send(...lists(10_000));
    const unsent = () => peer.child.stdin?.writableLength ?? 0;
    await settled(unsent);
    expect(unsent()).toBeGreaterThan(1 * MB);
    expect(memoryMb(pidOf(peer))).toBeLessThan(150);
    readOn(peer);
    expect(await peer.end()).toEqual({ code: 0, signal: null });
    expect(peer.messages.map(({ id }) => id)).toEqual(lists(10_000).map(({ id }) => id));
  });

  it('can still cancel a call', async () => {
    const peer = startServer({ script });
    await greet(peer);
    peer.send({ id: 'call', method: 'tools/call', params: codexCall(peer, 'family', family) });
    const pids = await pidsIn(join(peer.home.work, 'pids'), 3);
    stall(peer);
    peer.send(...lists(1_000)); // some 5 MB of answers
    peer.send({ method: 'notifications/cancelled', params: { requestId: 'call' } });
    await gone(pids);
    readOn(peer);
    await peer.end();
    expect(peer.messages.filter(({ id, result }) => typeof id === 'number' && result?.tools)).toHaveLength(1_000);
    expect(peer.messages.filter(({ id }) => id === 'call')).toEqual([]);
  });

  it('slows a command that prints 200 MB, and nothing of the answer is lost', async () => {
    const print = ['sh', '-c', 'head -c 200000000 /dev/zero | tr "\\0" x; echo the end'];
    const answers = [
      { items: [{ call: 'shell', args: { command: print, timeout_ms: 60_000 } }] },
      { items: [{ text: 'printed' }] },
    ];
    const peer = startServer({ script: { scenes: [{ when: '', answers }] } });
    await greet(peer);
    const startMb = memoryMb(pidOf(peer));
    const answer = peer.request('tools/call', codexCall(peer, 'go', { 'approval-policy': 'never' }), 1);
    await peer.nextEvent('exec_command_output_delta');
    stall(peer);
    const peak = { mb: 0 };
    const watch = setInterval(() => {
      peak.mb = Math.max(peak.mb, memoryMb(pidOf(peer)));
    }, 50);
    await new Promise((wake) => setTimeout(wake, 1_000));
    expect(peer.messages.filter(({ id }) => id === 1)).toEqual([]); // the command waits
    expect(peak.mb - startMb).toBeLessThan(HELD_MB);
    readOn(peer);
    expect(textOf(await answer)).toBe('printed');
    clearInterval(watch);
    expect(peak.mb - startMb).toBeLessThan(180); // all of it would be 267 MB; what was passed on is freed some time later
    const { msg } = (await peer.nextEvent('exec_command_end')).params;
    expect(msg.exit_code).toBe(0);
    expect(msg.aggregated_output.endsWith('the end\n')).toBe(true);
  });

  it('slows a model that talks without end', async () => {
    const delta = deltaOf('x', { obfuscation: 'x'.repeat(4_000) }); // the model's server pads its events, as OpenAI does
    const sent = { bytes: 0 };
    const model = await startModel(({ response, say }) => {
      const pour = (): void => {
        while (sent.bytes < 60 * MB) {
          sent.bytes += delta.length;
          if (!response.write(delta)) return void response.once('drain', pour);
        }
        say(message('well'));
      };
      pour();
    });
    const home = openHome();
    home.write('.codex/config.toml', model.toml);
    const peer = startServer({ home });
    await greet(peer);
    const startMb = memoryMb(pidOf(peer));
    stall(peer);
    const answer = peer.request('tools/call', codexCall(peer, 'hi'), 1);
    await until(() => sent.bytes > 0, 'the first words');
    await settled(() => sent.bytes);
    expect(sent.bytes).toBeLessThan(30 * MB);
    expect(memoryMb(pidOf(peer)) - startMb).toBeLessThan(HELD_MB);
    readOn(peer);
    expect(textOf(await answer)).toBe('well');
    const deltas = peer.messages.filter(({ params }) => params?.msg?.type === 'agent_message_delta');
    expect(deltas.length).toBe(Math.ceil((60 * MB) / delta.length) + 2);
  });

  it('slows a scripted model as any other', async () => {
    const deltas = Array.from({ length: 20_000 }, () => '{{prompt}}');
    const peer = startServer({ script: { scenes: [{ when: '', answers: [{ items: [{ text: 'well', deltas }] }] }] } });
    await greet(peer);
    stall(peer);
    const answer = peer.request('tools/call', codexCall(peer, 'x'.repeat(200)), 1);
    await settled(() => memoryMb(pidOf(peer)));
    expect(memoryMb(pidOf(peer))).toBeLessThan(200);
    readOn(peer);
    expect(textOf(await answer)).toBe('well');
    const sent = peer.messages.filter(({ params }) => params?.msg?.type === 'agent_message_delta');
    expect(sent).toHaveLength(deltas.length);
  });

  it('does not use up the time limit of a command that waits for it', async () => {
    const print = ['sh', '-c', 'head -c 5000000 /dev/zero | tr "\\0" x; echo the end'];
    const answers = [
      { items: [{ call: 'shell', args: { command: print, timeout_ms: 4_000 } }] },
      { items: [{ text: 'printed' }] },
    ];
    const peer = startServer({ script: { scenes: [{ when: '', answers }] } });
    await greet(peer);
    const answer = peer.request('tools/call', codexCall(peer, 'go', { 'approval-policy': 'never' }), 1);
    await peer.nextEvent('exec_command_output_delta');
    stall(peer);
    await new Promise((wake) => setTimeout(wake, 4_500));
    readOn(peer);
    expect(textOf(await answer)).toBe('printed');
    expect((await peer.nextEvent('exec_command_end')).params.msg).toMatchObject({ exit_code: 0, stderr: '' });
  });
});
