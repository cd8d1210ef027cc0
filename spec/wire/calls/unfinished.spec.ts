import { codexCall, greet } from '../../support/daemon/legacy';
import { endServers, type Json, type Peer, startServer } from '../../support/daemon/peer';
import { openHome } from '../../support/home';
import { closeModels, deltaOf, message, startModel } from '../../support/servers/modelServer';

afterEach(endServers);
afterEach(closeModels);

/** A thread whose first answer was seen in part: its server, and what the model is sent by the next prompt. */
const halfSeen = async () => {
  const model = await startModel(({ n, response, say }) => {
    if (n === 0) response.write(deltaOf('I have pushed it. Now'));
    else say(message('ok'));
  });
  const home = openHome();
  home.write('.codex/config.toml', model.toml);
  const peer = startServer({ home });
  await greet(peer);
  peer.send({ id: 1, method: 'tools/call', params: codexCall(peer, 'push the branch') });
  const { msg } = (await peer.nextEvent('session_configured')).params;
  await peer.nextEvent('agent_message_delta');
  const textsAfterReply = async (to: Peer): Promise<string[]> => {
    const reply = { name: 'codex-reply', arguments: { threadId: msg.session_id, prompt: 'what happened?' } };
    await to.request('tools/call', reply, 2);
    const input: Json[] = model.requests.at(-1)?.input ?? [];
    return input.map(({ content }) => content[0].text).slice(-4);
  };
  const next = async (): Promise<Peer> => {
    const other = startServer({ home });
    await greet(other);
    return other;
  };
  return { peer, textsAfterReply, next };
};

const conversation = (note: RegExp) => [
  ...['push the branch', 'I have pushed it. Now'],
  expect.stringMatching(note),
  'what happened?',
];

describe('a turn that is not done', () => {
  it.each(['at once', 'by the next server'])(
    'is part of the thread that is continued %s after a cancel',
    async (how) => {
      const { peer, textsAfterReply, next } = await halfSeen();
      peer.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
      await peer.nextEvent('turn_aborted');
      if (how !== 'at once') await peer.end();
      const last = how === 'at once' ? peer : await next();
      expect(await textsAfterReply(last)).toEqual(conversation(/^<turn_aborted>\nThe user stopped the previous turn/));
    },
  );

  it('is part of the thread after the end of the connection, with a note that the program ended', async () => {
    const { peer, textsAfterReply, next } = await halfSeen();
    await peer.end();
    expect(await textsAfterReply(await next())).toEqual(conversation(/^<turn_aborted>\n.*: its program ended\n/));
  });
});
