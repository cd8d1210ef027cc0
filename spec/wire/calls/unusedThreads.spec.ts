/** Threads that nobody uses leave the memory of the real program after `--keep-threads`, with what they hold. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { codexCall, greet, textOf } from '../../support/daemon/legacy';
import { endServers, type Json, type Peer, startServer } from '../../support/daemon/peer';
import { type Home, openHome, removeHomes } from '../../support/home';
import { gone } from '../../support/processes';

afterEach(endServers);
afterEach(removeHomes);

const script = {
  scenes: [
    { when: 'write', answers: [{ items: [{ call: 'shell', args: { command: ['touch', 'made'] } }] }] },
    { when: 'echo', answers: [{ items: [{ call: 'small__echo', args: { text: 'hello' } }] }] },
  ],
  otherwise: { items: [{ text: 'done' }] },
};

const open = async (home: Home, ...args: string[]): Promise<Peer> => {
  const peer = startServer({ home, script, args: ['--engine', 'native', ...args] });
  await greet(peer, { elicitation: {} });
  return peer;
};

const reply = (peer: Peer, threadId: string, prompt: string) =>
  peer.request('tools/call', { name: 'codex-reply', arguments: { threadId, prompt } });
const threadOf = (answer: Json): string => answer.result.structuredContent.threadId;

describe('a thread between its turns', () => {
  it('is continued by another process, and then again by the first, which reads what was added', async () => {
    const home = openHome();
    const [first, other] = [await open(home), await open(home)];
    const threadId = threadOf(await first.request('tools/call', codexCall(first, 'hi'), 1));
    const texts = [await reply(other, threadId, 'and now?'), await reply(first, threadId, 'mine?')].map(textOf);
    expect([...texts, textOf(await reply(other, threadId, 'and mine?'))]).toEqual(['done', 'done', 'done']);
  });
});

describe('a thread that nobody has used for a while', () => {
  it('loses what was approved for the session', async () => {
    const peer = await open(openHome(), '--keep-threads', '1.5');
    const answer = peer.request('tools/call', codexCall(peer, 'write', { 'approval-policy': 'untrusted' }), 1);
    const { id } = await peer.nextOf('elicitation/create');
    peer.send({ id, result: { action: 'accept', content: { decision: 'approved_for_session' } } });
    const threadId = threadOf(await answer);
    expect(textOf(await reply(peer, threadId, 'write at once'))).toBe('done'); // not asked again
    await new Promise((wake) => setTimeout(wake, 3_000));
    const again = reply(peer, threadId, 'write later');
    const question = await peer.nextOf('elicitation/create');
    peer.send({ id: question.id, result: { action: 'decline' } });
    expect(textOf(await again)).toContain('Not done: `touch made`');
  });

  it('lets its MCP server end, which the next turn starts again', async () => {
    const home = openHome();
    const log = join(home.path, 'servers.log');
    const argv = [resolve(__dirname, '../../support/servers/smallServer.mjs'), 'well', log];
    home.write(
      '.codex/config.toml',
      `[mcp_servers.small]\ncommand = ${JSON.stringify(process.execPath)}\nargs = ${JSON.stringify(argv)}\n`,
    );
    const starts = () =>
      (existsSync(log) ? readFileSync(log, 'utf8') : '')
        .split('\n')
        .flatMap((line) => (line.startsWith('start') ? [Number(line.split(' ')[1])] : []));
    const peer = await open(home, '--keep-threads', '0.2');
    const threadId = threadOf(await peer.request('tools/call', codexCall(peer, 'echo'), 1));
    await gone(starts());
    await reply(peer, threadId, 'echo again');
    expect(starts()).toHaveLength(2);
  });
});
