/** Makes the messages of a client of the revisions that open with `initialize`. */
import { type Json, type Launch, type Peer, startServer } from './peer';

export const clientInfo = { name: 'wire-spec', version: '0' };

/** Opens a session of a legacy revision. */
export const greet = async (peer: Peer, capabilities: Json = {}, protocolVersion = '2025-06-18'): Promise<Json> => {
  const answer = await peer.request('initialize', { protocolVersion, capabilities, clientInfo }, 0);
  peer.send({ method: 'notifications/initialized' });
  return answer;
};

/** A server whose client can be asked. */
export const askableServer = async (launch: Launch): Promise<Peer> => {
  const peer = startServer(launch);
  await greet(peer, { elicitation: {} });
  return peer;
};

/** The params of a call of the tool `codex`, in the work folder. */
export const codexCall = ({ home }: Peer, prompt: string, args: Json = {}, meta?: Json): Json => ({
  name: 'codex',
  arguments: { prompt, cwd: home.work, sandbox: 'danger-full-access', ...args },
  ...(meta && { _meta: meta }),
});

/** The first text of a result. */
export const textOf = (answer: Json): string => answer.result?.content?.[0]?.text;
