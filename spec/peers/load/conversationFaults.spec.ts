/** Conversations of the Codex methods while what they stand on fails: the model, the disk, the clock, the client. */

import { endServers, type Json, type Launch, type Peer, startServer } from '../../support/daemon/peer';
import { openHome } from '../../support/home';
import { gone, running } from '../../support/processes';
import { closeModels, deltaOf, message, startModel } from '../../support/servers/modelServer';

afterEach(async () => {
  await endServers();
  closeModels();
});

const SLOW = {
  scenes: [
    {
      when: 'ask',
      answers: [
        {
          items: [
            { text: 'I look.', deltas: 3 },
            { call: 'shell', args: { command: ['sleep', '20'] } },
          ],
        },
      ],
    },
  ],
  otherwise: { items: [{ text: 'You wrote: {{prompt}}', deltas: 20 }], deltaDelayMs: 5 },
};

const converse = async (peer: Peer): Promise<string> => {
  const settings = { approvalPolicy: 'never', sandbox: 'danger-full-access' };
  const { result } = await peer.request('newConversation', settings);
  await peer.request('addConversationListener', { conversationId: result.conversationId });
  return result.conversationId;
};

const say = (peer: Peer, conversationId: string, text: string) =>
  peer.request('sendUserMessage', { conversationId, items: [{ type: 'text', data: { text } }] });

const event = (peer: Peer, type: string): Promise<Json> => peer.nextOf(`codex/event/${type}`);

const endOf = async (peer: Peer): Promise<string | null> =>
  (await event(peer, 'task_complete')).params.msg.last_agent_message;

/** Points in the first turns, up to where these are over. */
const randomTimes = (count: number): number[] =>
  Array.from({ length: count }, (_, at) => (at === 0 ? 0 : Math.floor(Math.random() * 250)));

describe('a conversation', () => {
  it('goes on after its model server died in mid-stream', async () => {
    const dying = await startModel(({ n, say: answer, response }) => {
      if (n > 0) return answer(message('back'));
      response.write(deltaOf('half an'));
      setTimeout(() => response.destroy(), 20);
    });
    const home = openHome();
    home.write('.codex/config.toml', dying.toml.replace('stream_max_retries = 0', 'stream_max_retries = 2'));
    const peer = startServer({ home, args: ['--engine', 'native'] });
    const conversation = await converse(peer);
    await say(peer, conversation, 'go');
    await event(peer, 'stream_error');
    expect(await endOf(peer)).toBe('back');
  });

  it.each<[string, () => Launch]>([
    ['a home that cannot be written', () => ({ env: { CODEX_HOME: '/proc/self' } })],
    ['a full disk for its log', () => ({ args: ['--log-file', '/dev/full', '--log-level', 'debug'] })],
    ['a full disk for its tape', () => ({ args: ['--record', '/dev/full'] })],
  ])('is answered with %s', async (_, launch) => {
    const peer = startServer({ script: SLOW, ...launch() });
    const conversation = await converse(peer);
    await say(peer, conversation, 'hi');
    expect(await endOf(peer)).toBe('You wrote: hi');
    expect(await peer.request('listConversations', {})).toHaveProperty('id');
    expect(await peer.end()).toEqual({ code: 0, signal: null });
  });

  it('goes on when the disk is full in the middle of what is kept of it, which is logged once', async () => {
    const peer = startServer({ script: SLOW, maxFileBlocks: 16 });
    const conversation = await converse(peer);
    for (let n = 0; n < 10; n += 1) {
      const text = `${n} ${'long '.repeat(300)}`;
      await say(peer, conversation, text);
      expect(await endOf(peer)).toBe(`You wrote: ${text}`);
    }
    expect(await peer.end()).toEqual({ code: 0, signal: null });
    expect(peer.stderr().split('threads are not kept on disk')).toHaveLength(2);
  });

  it('ends in time while the clock jumps a day back and forth', async () => {
    const home = openHome();
    const jumps = home.write(
      'jumps.js',
      'const now = Date.now.bind(Date); let at = 0; Date.now = () => now() + [0, 86400000, -86400000][at++ % 3];',
    );
    const peer = startServer({ home, script: SLOW, env: { NODE_OPTIONS: `--require=${jumps}` } });
    const conversation = await converse(peer);
    for (const text of ['one', 'two', 'three']) {
      await say(peer, conversation, text);
      expect(await endOf(peer)).toBe(`You wrote: ${text}`);
    }
  });

  it.each(randomTimes(8))('ends with its client, gone %i ms into its turns', async (ms) => {
    const peer = startServer({ script: SLOW });
    const [first, second] = [await converse(peer), await converse(peer)];
    await say(peer, first, 'ask');
    await say(peer, second, 'hi');
    await new Promise((later) => setTimeout(later, ms));
    peer.child.stdout?.destroy();
    expect(await peer.ended).toMatchObject({ signal: null });
    expect(await gone(running('sleep\0' + '20', peer.home.path))).toBe(true);
  });
});
