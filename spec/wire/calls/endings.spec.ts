import { join } from 'node:path';
import { askableServer, codexCall, greet, textOf } from '../../support/daemon/legacy';
import { modern } from '../../support/daemon/modern';
import { endServers, type Launch, type Peer, startServer } from '../../support/daemon/peer';
import { family, script } from '../../support/family';
import { openHome } from '../../support/home';
import { gone, pidsIn, until } from '../../support/processes';
import { closeModels, deltaOf, startModel } from '../../support/servers/modelServer';

afterEach(endServers);
afterEach(closeModels);

const wellEnded = { code: 0, signal: null };

/** A server whose call 1 runs a command with a child and a grandchild. */
const running = async (launch: Launch = {}) => {
  const peer = startServer({ script, ...launch });
  await greet(peer);
  peer.send({ id: 1, method: 'tools/call', params: codexCall(peer, 'family', family) });
  return { peer, pids: await pidsIn(join(peer.home.work, 'pids'), 3) };
};

/** A server whose call 1 listens to a model that has stopped in the middle of a sentence. */
const listening = async () => {
  const model = await startModel(({ response }) => void response.write(deltaOf('half an')));
  const home = openHome();
  home.write('.codex/config.toml', model.toml);
  const peer = startServer({ home });
  await greet(peer);
  peer.send({ id: 1, method: 'tools/call', params: codexCall(peer, 'hi') });
  await peer.nextEvent('agent_message_delta');
  return { peer, model };
};

const answersTo = ({ messages }: Peer, id: number) => messages.filter((message) => message.id === id);

/** The result of a call that was stopped; it names the cause, and the thread in both places. */
const stoppedBy = (cause: string) => {
  const text = `The turn was stopped: the ${cause}.`;
  const content = [{ type: 'text', text: expect.stringMatching(new RegExp(`^${text}\n\nthreadId: [-0-9a-f]{36}$`)) }];
  const structuredContent = expect.objectContaining({
    threadId: expect.stringMatching(/^[-0-9a-f]{36}$/),
    content: text,
    durationMs: expect.any(Number),
  });
  return { jsonrpc: '2.0', id: 1, result: { isError: true, content, structuredContent } };
};
const stopped = stoppedBy('input of the server ended');

describe('the end of input', () => {
  it('ends a server that is idle, quietly', async () => {
    const peer = startServer();
    expect(await peer.end()).toEqual(wellEnded);
    expect([peer.lines, peer.rest(), peer.stderr()]).toEqual([[], '', '']);
  });

  it('comes after the answers that are owed', async () => {
    const peer = startServer();
    peer.send(...Array.from({ length: 500 }, (_, id) => ({ id, method: 'tools/list' })));
    expect(await peer.end()).toEqual(wellEnded);
    expect(peer.messages.map(({ id, result }) => [id, result.tools.length])).toEqual(
      Array.from({ length: 500 }, (_, id) => [id, 2]),
    );
  });

  it('answers the open call once and leaves no process behind', async () => {
    const { peer, pids } = await running();
    expect(await peer.end()).toEqual(wellEnded);
    expect(answersTo(peer, 1)).toEqual([stopped]);
    await gone(pids);
  });

  it('answers a call that waits for a person', async () => {
    const peer = await askableServer({ script });
    peer.send({ id: 1, method: 'tools/call', params: codexCall(peer, 'family', { 'approval-policy': 'untrusted' }) });
    await peer.nextOf('elicitation/create');
    expect(await peer.end()).toEqual(wellEnded);
    expect(answersTo(peer, 1)).toEqual([stopped]);
  });

  it('answers calls that wait for their thread', async () => {
    const { peer, pids } = await running();
    peer.send({ id: 2, method: 'tools/call', params: { name: 'codex-reply', arguments: { prompt: 'next' } } });
    expect(await peer.end()).toEqual(wellEnded);
    expect([answersTo(peer, 1), answersTo(peer, 2)]).toEqual([[stopped], [{ ...stopped, id: 2 }]]);
    await gone(pids);
  });

  it('closes the connection to the model', async () => {
    const { peer, model } = await listening();
    expect(await peer.end()).toEqual(wellEnded);
    expect(answersTo(peer, 1)).toEqual([stopped]);
    await until(() => model.open() === 0, 'the end of the model connection');
  });

  it('answers a call that came just before it', async () => {
    const peer = startServer({ script });
    await greet(peer);
    peer.send({ id: 1, method: 'tools/call', params: codexCall(peer, 'hello') });
    expect(await peer.end()).toEqual(wellEnded);
    expect(answersTo(peer, 1)).toHaveLength(1);
  });

  it('closes an open subscription', async () => {
    const peer = startServer();
    peer.send({ id: 7, method: 'subscriptions/listen', params: modern({ notifications: { toolsListChanged: true } }) });
    await peer.nextOf('notifications/subscriptions/acknowledged');
    expect(await peer.end()).toEqual(wellEnded);
    expect(answersTo(peer, 7)).toMatchObject([
      { result: { resultType: 'complete', _meta: { 'io.modelcontextprotocol/subscriptionId': 7 } } },
    ]);
  });
});

describe.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s', (signal) => {
  it('ends a server that is idle', async () => {
    const peer = startServer();
    await greet(peer);
    peer.child.kill(signal);
    expect(await peer.ended).toEqual(wellEnded);
  });

  it('answers the open call once and leaves no process behind', async () => {
    const { peer, pids } = await running();
    peer.child.kill(signal);
    expect(await peer.ended).toEqual(wellEnded);
    expect(answersTo(peer, 1)).toEqual([stoppedBy(`server received ${signal}`)]);
    await gone(pids);
  });

  it('closes the connection to the model', async () => {
    const { peer, model } = await listening();
    peer.child.kill(signal);
    expect(await peer.ended).toEqual(wellEnded);
    await until(() => model.open() === 0, 'the end of the model connection');
  });
});

describe('a closed stdout', () => {
  it('ends the server at its next write, without a complaint, and its commands', async () => {
    const { peer, pids } = await running();
    peer.child.stdout?.destroy();
    peer.send({ id: 2, method: 'ping' });
    expect(await peer.ended).toEqual(wellEnded);
    expect(peer.stderr()).toBe('');
    await gone(pids);
  });
});

describe('stderr', () => {
  const badLines = (count: number) =>
    Array.from({ length: count }, (_, i) => `nonsense ${i} ${'x'.repeat(2_000)}\n`).join('');

  it('may be closed', async () => {
    const peer = startServer({ stderr: 'closed', script, args: ['--log-level', 'debug'] });
    await greet(peer);
    peer.sendText(badLines(10));
    expect(textOf(await peer.request('tools/call', codexCall(peer, 'hello')))).toBe('You said: hello');
    expect(await peer.end()).toEqual(wellEnded);
  });

  it('may be a pipe nobody reads', async () => {
    const peer = startServer({ stderr: 'unread', args: ['--log-level', 'debug'] });
    await greet(peer);
    peer.sendText(badLines(2_000));
    expect(await peer.request('ping')).toMatchObject({ result: {} });
    const end = new Promise((done) => peer.child.once('exit', (code) => done(code)));
    peer.child.stdin?.end();
    expect(await end).toBe(0);
    peer.child.stderr?.destroy();
    expect(peer.messages.filter(({ error }) => error?.code === -32700)).toHaveLength(2_000);
  });

  it('may be closed while the server runs', async () => {
    const peer = startServer({ args: ['--log-level', 'debug'] });
    await greet(peer);
    peer.child.stderr?.destroy();
    peer.sendText(badLines(10));
    expect(await peer.request('ping')).toMatchObject({ result: {} });
    expect(await peer.end()).toEqual(wellEnded);
  });
});
