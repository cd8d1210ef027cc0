/** Owns the sessions of one exec-server: who is new, who comes back, how many there may be. */
import { INVALID_REQUEST, RpcError } from '../../protocol';
import { noPressure } from '../../streams';
import { openSession, type Session, type SessionDeps } from './session';

/** `newId` names sessions; so many may be there at once, those included that wait for their client. */
export type SessionsDeps = SessionDeps & { newId: () => string; maxSessions: number };

/** `enter` gives a new session, or the one with the id to resume; errors are answers. */
export type Sessions = {
  knows: (method: string) => boolean;
  enter: (resumeSessionId: string | undefined) => Session;
};

/** Source: codex exec-server 0.142.0; 0.130.0 says -32600. */
const ATTACHED_ELSEWHERE = -32010;

export const execSessions = (deps: SessionsDeps): Sessions => {
  const sessions = new Map<string, Session>();
  const known = new Set(Object.keys(deps.methodsOf(noPressure)));
  const open = (): Session => {
    if (sessions.size >= deps.maxSessions) {
      throw new RpcError(INVALID_REQUEST, `too many sessions: ${deps.maxSessions} exist already`);
    }
    const id = deps.newId();
    const session = openSession(deps, id, () => sessions.delete(id));
    sessions.set(id, session);
    return session;
  };
  const resume = (id: string): Session => {
    const session = sessions.get(id);
    if (session === undefined) throw new RpcError(INVALID_REQUEST, `unknown session id ${id}`);
    if (session.isAttached())
      throw new RpcError(ATTACHED_ELSEWHERE, `session ${id} is already attached to another connection`);
    return session;
  };
  return { knows: (method) => known.has(method), enter: (id) => (id === undefined ? open() : resume(id)) };
};
