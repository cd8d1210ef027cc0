/** Conversations of the real program with a model: pictures, and one that outgrows the context of its model. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codexCall, greet, textOf } from '../../support/daemon/legacy';
import { endServers, type Json, type Peer, startServer } from '../../support/daemon/peer';
import { openHome } from '../../support/home';
import { closeModels, type Exchange, message, shellCall, startModel } from '../../support/servers/modelServer';

const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

afterEach(async () => {
  await endServers();
  closeModels();
});

const open = async (answer: (exchange: Exchange) => void, keys = ''): Promise<{ peer: Peer; requests: Json[] }> => {
  const home = openHome();
  const { toml, requests } = await startModel(answer);
  home.write('.codex/config.toml', `${keys}\n${toml}`);
  writeFileSync(join(home.work, 'dot.png'), Buffer.from(PICTURE, 'base64'));
  const peer = startServer({ home, args: ['--engine', 'native'] });
  await greet(peer);
  return { peer, requests };
};

const typesOf = ({ messages }: Peer): string[] => messages.flatMap(({ params }) => params?.msg?.type ?? []);

const timesIn = (request: Json | undefined, text: string): number =>
  JSON.stringify(request?.input ?? '').split(text).length - 1;

describe('a picture', () => {
  it('of the disk that the user sends reaches the model', async () => {
    const { peer, requests } = await open(({ say }) => say(message('A dot.')));
    const { conversationId } = (await peer.request('newConversation', {}, 1)).result;
    await peer.request('addConversationListener', { conversationId }, 2);
    const items = [
      { type: 'text', data: { text: 'what is it?' } },
      { type: 'localImage', data: { path: join(peer.home.work, 'dot.png') } },
    ];
    const turn = { cwd: peer.home.work, approvalPolicy: 'never', sandboxPolicy: { mode: 'read-only' } };
    const model = { model: 'gpt-5', effort: 'low', summary: 'auto' };
    expect(await peer.request('sendUserTurn', { conversationId, items, ...turn, ...model }, 3)).toMatchObject({
      result: {},
    });
    await peer.next(({ params }) => params?.msg?.type === 'task_complete', 'the end of the turn');
    expect(timesIn(requests[0], `data:image/png;base64,${PICTURE}`)).toBe(1);
  });

  it('that the model asks for by view_image is there with its next request', async () => {
    const look = {
      type: 'function_call',
      id: 'fc_1',
      call_id: 'c1',
      name: 'view_image',
      arguments: '{"path":"dot.png"}',
    };
    const { peer, requests } = await open(({ n, say }) => say(n === 0 ? look : message('A dot.')));
    const answer = await peer.request('tools/call', codexCall(peer, 'look', { 'approval-policy': 'never' }));
    expect(textOf(answer)).toBe('A dot.');
    expect(requests.map((request) => timesIn(request, `data:image/png;base64,${PICTURE}`))).toEqual([0, 1]);
  });
});

describe('a conversation that outgrows the context of its model', () => {
  it('loses its oldest outputs first, without a summary', async () => {
    const print = (n: number) =>
      shellCall(`c${n}`, ['sh', '-c', n === 0 ? 'head -c 6000 /dev/zero | tr "\\0" a' : 'echo b']);
    const { peer, requests } = await open(
      ({ n, say }) => say(n < 5 ? print(n) : message('Yes.')),
      'model_context_window = 2500',
    );
    const first = await peer.request('tools/call', codexCall(peer, 'print', { 'approval-policy': 'never' }), 1);
    expect(timesIn(requests.at(-1), 'a'.repeat(1000))).toBeGreaterThan(0);
    const { threadId } = first.result.structuredContent;
    const more = { name: 'codex-reply', arguments: { threadId, prompt: 'x'.repeat(3000) } };
    expect(textOf(await peer.request('tools/call', more, 2))).toBe('Yes.');
    expect([timesIn(requests.at(-1), 'a'.repeat(1000)), timesIn(requests.at(-1), 'left out')]).toEqual([0, 1]);
    expect(typesOf(peer)).not.toContain('context_compacted');
  });

  it('is compacted, and goes on with the summary and the last turns', async () => {
    const { peer, requests } = await open(
      ({ body, say }) => say(message(timesIn(body, 'SUM UP') > 0 ? 'All so far.' : 'Yes.')),
      'model_context_window = 2500\ncompact_prompt = "SUM UP"',
    );
    const answer = await peer.request('tools/call', codexCall(peer, `first ${'x '.repeat(1800)}`), 1);
    const { threadId } = answer.result.structuredContent;
    for (const id of [2, 3, 4]) {
      const more = { name: 'codex-reply', arguments: { threadId, prompt: `word${id} ${'y '.repeat(1800)}` } };
      expect(textOf(await peer.request('tools/call', more, id))).toBe('Yes.');
    }
    expect(typesOf(peer)).toContain('context_compacted');
    const last = requests.at(-1);
    expect([timesIn(last, 'All so far.'), timesIn(last, 'word4'), timesIn(last, 'environment_context')]).toEqual([
      1, 1, 2,
    ]);
    expect(timesIn(last, 'x x x')).toBe(0);
  });
});
