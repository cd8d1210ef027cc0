import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { codexCall } from '../../support/daemon/legacy';
import { modern } from '../../support/daemon/modern';
import { endServers, type Json, type Peer, startServer } from '../../support/daemon/peer';

afterEach(endServers);

const script = {
  scenes: [
    {
      when: '^build$',
      answers: [
        { items: [{ call: 'shell', args: { command: ['sh', '-c', 'sleep 2; echo made > made.txt'] } }] },
        { items: [{ text: 'built' }] },
      ],
    },
  ],
  otherwise: { items: [{ text: 'You said: {{prompt}}' }], usage: { input_tokens: 90, output_tokens: 20 } },
};

const free = { 'approval-policy': 'never', sandbox: 'danger-full-access' };
const wait = (threadId: string): Json => ({ name: 'codex-wait', arguments: { threadId } });
const called = (peer: Peer, params: Json): Promise<Json> =>
  peer.request('tools/call', params).then(({ result }) => result);

describe('--answer-within', () => {
  it('answers a legacy client and a client of 2026-07-28 before their turns are done; codex-wait gives the rest', async () => {
    const peer = startServer({ script, args: ['--answer-within', '0.5'] });
    const first = await called(peer, codexCall(peer, 'build', free));
    expect(first.structuredContent).toMatchObject({ status: 'working', threadId: expect.any(String) });
    expect(existsSync(join(peer.home.work, 'made.txt'))).toBe(false);
    const { threadId } = first.structuredContent;
    let rest = await called(peer, wait(threadId));
    while (rest.structuredContent.status === 'working') rest = await called(peer, modern(wait(threadId), {}));
    expect(rest.structuredContent).toMatchObject({ threadId, content: 'built', commands: 1, notDone: [] });
    expect(existsSync(join(peer.home.work, 'made.txt'))).toBe(true);
    expect((await called(peer, modern(wait(threadId), {}))).isError).toBe(true);
  });
});

describe('the bounds of a turn', () => {
  it('stop a thread that has used its tokens, also after a restart of the server', async () => {
    const config = { max_tokens_per_thread: 100 };
    const first = startServer({ script });
    const begun = await called(first, codexCall(first, 'hi', { ...free, config }));
    const { threadId, usage } = begun.structuredContent;
    expect(usage.thread.totalTokens).toBeGreaterThanOrEqual(100);
    await first.end();
    const next = startServer({ script, home: first.home });
    const reply = await called(next, { name: 'codex-reply', arguments: { threadId, prompt: 'more' } });
    expect(reply).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/max_tokens_per_thread is 100\..*Start a new thread/s) }],
    });
  });
});
