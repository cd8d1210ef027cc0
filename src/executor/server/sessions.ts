/** Owns the sessions of one exec-server: who is new, who comes back, how many there may be. */
import { defer, map, type Observable, of } from 'rxjs';
import { INVALID_REQUEST, RpcError } from '../../protocol';
import { noPressure } from '../../streams';
import { openSession, type Session, type SessionDeps } from './session';

/** `newId` names sessions; so many may be there at once, those included that wait for their client. */
export type SessionsDeps = SessionDeps & { newId: () => string; maxSessions: number };

/**
 * `enter` gives a new session, or the one with the id to resume, unless the client of another connection answers that it has
 * it; errors are answers.
 */
export type Sessions = {
  knows: (method: string) => boolean;
  enter: (resumeSessionId: string | undefined) => Observable<Session>;
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
  const find = (id: string): Session => {
    const session = sessions.get(id);
    if (session === undefined) throw new RpcError(INVALID_REQUEST, `unknown session id ${id}`);
    return session;
  };
  const resume = (id: string): Observable<Session> =>
    find(id)
      .isHeld()
      .pipe(
        map((isHeld) => {
          if (!isHeld) return find(id);
          throw new RpcError(ATTACHED_ELSEWHERE, `session ${id} is already attached to another connection`);
        }),
      );
  return {
    knows: (method) => known.has(method),
    enter: (id) => defer(() => (id === undefined ? of(open()) : resume(id))),
  };
};
