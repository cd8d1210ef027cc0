import { join } from 'node:path';
import { askableServer, codexCall, greet, textOf } from '../../support/daemon/legacy';
import { modern } from '../../support/daemon/modern';
import { endServers, type Json, type Peer, startServer } from '../../support/daemon/peer';
import { family, script } from '../../support/family';
import { openHome } from '../../support/home';
import { gone, isAlive, pidsIn, until } from '../../support/processes';
import { closeModels, deltaOf, startModel } from '../../support/servers/modelServer';

afterEach(endServers);
afterEach(closeModels);

/** A server whose call runs a command with a child and a grandchild. */
const running = async (params: (peer: Peer) => Json = (peer) => codexCall(peer, 'family', family)) => {
  const peer = startServer({ script });
  await greet(peer);
  peer.send({ id: 1, method: 'tools/call', params: params(peer) });
  const pids = await pidsIn(join(peer.home.work, 'pids'), 3);
  return { peer, pids };
};

/** What came with or for request 1 since `peer.messages` had this length. */
const answersTo = ({ messages }: Peer, id: number) => messages.filter((message) => message.id === id);

describe('notifications/cancelled', () => {
  it('ends the command of a call with all it started, and the call is not answered', async () => {
    const { peer, pids } = await running();
    expect(pids.map(isAlive)).toEqual([true, true, true]);
    peer.send({ method: 'notifications/cancelled', params: { requestId: 1, reason: 'spec' } });
    await gone(pids);
    expect((await peer.nextEvent('turn_aborted')).params.msg.reason).toBe('interrupted');
    await peer.request('ping');
    await peer.end();
    expect(answersTo(peer, 1)).toEqual([]);
  });

  it('is followed by nothing about the call in 2026-07-28', async () => {
    const { peer, pids } = await running((peer) =>
      modern(codexCall(peer, 'family', family), {}, undefined, { progressToken: 'p' }),
    );
    peer.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
    const sent = (await peer.request('server/discover', modern(), 'after')) && peer.messages.length;
    await gone(pids);
    await peer.end();
    expect(peer.messages.slice(sent)).toEqual([]);
    expect(answersTo(peer, 1)).toEqual([]);
  });

  it('lets go of the model in the middle of its answer', async () => {
    const model = await startModel(({ response }) => void response.write(deltaOf('half an')));
    const home = openHome();
    home.write('.codex/config.toml', model.toml);
    const peer = startServer({ home });
    await greet(peer);
    peer.send({ id: 1, method: 'tools/call', params: codexCall(peer, 'hi') });
    await peer.nextEvent('agent_message_delta');
    peer.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
    await until(() => model.open() === 0, 'the end of the model connection');
    await peer.end();
    expect(answersTo(peer, 1)).toEqual([]);
  });

  it('withdraws the question that was open', async () => {
    const peer = await askableServer({ script });
    peer.send({ id: 1, method: 'tools/call', params: codexCall(peer, 'family', { 'approval-policy': 'untrusted' }) });
    const { id } = await peer.nextOf('elicitation/create');
    peer.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
    const { params } = await peer.nextOf('notifications/cancelled');
    expect(params).toEqual({ requestId: id, reason: 'the call was cancelled' });
  });

  it('changes nothing when it names no open request', async () => {
    const { peer, pids } = await running();
    for (const params of [{ requestId: 2 }, { requestId: '1' }, { requestId: null }, {}]) {
      peer.send({ method: 'notifications/cancelled', params });
    }
    expect(await peer.request('ping')).toMatchObject({ result: {} });
    expect(pids.map(isAlive)).toEqual([true, true, true]);
  });

  it('leaves the thread usable', async () => {
    const { peer } = await running();
    const { msg } = (await peer.nextEvent('session_configured')).params;
    peer.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
    const reply = { name: 'codex-reply', arguments: { threadId: msg.session_id, prompt: 'hello' } };
    expect(textOf(await peer.request('tools/call', reply))).toBe('You said: hello');
  });
});

describe('--call-timeout', () => {
  it('stops a turn that takes too long, and answers', async () => {
    const peer = startServer({ script, args: ['--call-timeout', '3'] });
    await greet(peer);
    const answer = peer.request('tools/call', codexCall(peer, 'family', family));
    const pids = await pidsIn(join(peer.home.work, 'pids'), 3);
    expect((await answer).result).toMatchObject({ isError: true });
    expect(textOf(await answer)).toContain('longer than 3 s');
    await gone(pids);
  });
});
