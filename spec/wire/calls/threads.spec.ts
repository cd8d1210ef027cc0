import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codexCall, greet, textOf } from '../../support/daemon/legacy';
import { endServers, type Json, type Peer, startServer } from '../../support/daemon/peer';

afterEach(endServers);

const waitFor = (file: string) => ['sh', '-c', `until [ -e ${file} ]; do sleep 0.02; done`];
const command = (argv: string[]) => ({ items: [{ call: 'shell', args: { command: argv, timeout_ms: 15_000 } }] });
const done = { items: [{ text: 'done: {{prompt}}' }] };

const script = {
  scenes: [
    { when: 'wait for', answers: [command(waitFor('made')), done] },
    { when: 'make', answers: [command(['touch', 'made']), done] },
  ],
  otherwise: { items: [{ text: 'You said: {{prompt}}' }] },
};

const open = async () => {
  const peer = startServer({ script });
  await greet(peer);
  return peer;
};

const start = (peer: Peer, prompt: string, id: number) =>
  peer.request('tools/call', codexCall(peer, prompt, { 'approval-policy': 'never' }), id);

const reply = (peer: Peer, args: Json, id?: number) =>
  peer.request('tools/call', { name: 'codex-reply', arguments: args }, id);

const threadOf = (answer: Json): string => answer.result.structuredContent.threadId;

/** `task_started 1`, `task_complete 1`, … in the order they came. */
const tasks = ({ messages }: Peer): string[] =>
  messages.flatMap(({ method, params }) =>
    method === 'codex/event' && params.msg.type.startsWith('task_') ? [`${params.msg.type} ${params.id}`] : [],
  );

describe('two calls', () => {
  it('run side by side on two threads: the first waits for what the second makes', async () => {
    const peer = await open();
    const [first, second] = await Promise.all([start(peer, 'wait for it', 1), start(peer, 'make it', 2)]);
    expect([textOf(first), textOf(second)]).toEqual(['done: wait for it', 'done: make it']);
    expect(threadOf(first)).not.toBe(threadOf(second));
    const [started, ended] = [tasks(peer).slice(0, 2), tasks(peer).slice(2)];
    expect(started).toEqual(['task_started 1', 'task_started 2']);
    expect(ended.sort()).toEqual(['task_complete 1', 'task_complete 2']); // the second may ask its model later than the first
    const events = peer.messages.filter(({ method, params }) => method === 'codex/event' && params.id === '2');
    expect(new Set(events.map(({ params }) => params._meta.threadId))).toEqual(new Set([threadOf(second)]));
  });

  it('queue on one thread', async () => {
    const peer = await open();
    const threadId = threadOf(await start(peer, 'hello', 1));
    const both = Promise.all([
      reply(peer, { threadId, prompt: 'wait for it' }, 2),
      reply(peer, { threadId, prompt: 'next' }, 3),
    ]);
    await peer.nextEvent('exec_command_begin');
    await peer.request('ping');
    expect(tasks(peer).slice(2)).toEqual(['task_started 2']);
    writeFileSync(join(peer.home.work, 'made'), '');
    expect((await both).map(textOf)).toEqual(['done: wait for it', 'You said: next']);
    expect(tasks(peer).slice(2)).toEqual(['task_started 2', 'task_complete 2', 'task_started 3', 'task_complete 3']);
  });

  it('queue on one thread, and one that waits can be cancelled', async () => {
    const peer = await open();
    const threadId = threadOf(await start(peer, 'hello', 1));
    const first = reply(peer, { threadId, prompt: 'wait for it' }, 2);
    peer.send({
      id: 3,
      method: 'tools/call',
      params: { name: 'codex-reply', arguments: { threadId, prompt: 'make it' } },
    });
    peer.send({ method: 'notifications/cancelled', params: { requestId: 3 } });
    await peer.nextEvent('exec_command_begin');
    writeFileSync(join(peer.home.work, 'made'), '');
    await first;
    await peer.end();
    expect(peer.messages.filter(({ id }) => id === 3)).toEqual([]);
  });
});

describe('codex-reply', () => {
  it.each(['threadId', 'conversationId', 'sessionId'])('goes on with the thread named by %s', async (name) => {
    const peer = await open();
    const threadId = threadOf(await start(peer, 'hello', 1));
    await start(peer, 'another', 2);
    const answer = await reply(peer, { [name]: threadId, prompt: 'again' });
    expect([threadOf(answer), textOf(answer)]).toEqual([threadId, 'You said: again']);
  });

  it('takes the newest thread when it names none', async () => {
    const peer = await open();
    await start(peer, 'hello', 1);
    const newest = threadOf(await start(peer, 'another', 2));
    expect(threadOf(await reply(peer, { prompt: 'again' }))).toBe(newest);
  });

  it('names the remedy when there is no thread', async () => {
    const peer = await open();
    expect((await reply(peer, { prompt: 'again' })).result).toEqual({
      isError: true,
      content: [{ type: 'text', text: expect.stringContaining('Start one with the tool codex') }],
    });
    const unknown = await reply(peer, { threadId: '0195a0b2-0000-7000-8000-000000000000', prompt: 'again' });
    expect(textOf(unknown)).toContain('Session not found for thread_id: 0195a0b2-0000-7000-8000-000000000000');
  });

  it('refuses names of two different threads', async () => {
    const peer = await open();
    const answer = await reply(peer, { prompt: 'x', threadId: 'a', sessionId: 'b' });
    expect(answer.result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('different threads') }],
    });
  });
});
