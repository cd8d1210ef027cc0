/** Owns the sessions of one exec-server: who is new, who comes back, how many there may be. */
import { defer, map, type Observable, of } from 'rxjs';
import { INVALID_REQUEST, RpcError } from '../../protocol/jsonrpc';
import { noBackpressure } from '../../streams';
import { type ExecSession, type ExecSessionDeps, execSession } from './execSession';

/** `newId` names sessions; so many may be there at once, those included that wait for their client. */
export type ExecSessionsDeps = ExecSessionDeps & { newId: () => string; maxSessions: number };

/**
 * `enter` gives a new session, or the one with the id to resume, unless the client of another connection answers that it has
 * it; errors are answers.
 */
export type ExecSessions = {
  knows: (method: string) => boolean;
  enter: (resumeSessionId: string | undefined) => Observable<ExecSession>;
};

/** Source: codex exec-server 0.142.0; 0.130.0 says -32600. */
const ATTACHED_ELSEWHERE = -32010;

export const execSessions = (deps: ExecSessionsDeps): ExecSessions => {
  const sessions = new Map<string, ExecSession>();
  const known = new Set(Object.keys(deps.methodsOf(noBackpressure)));
  const open = (): ExecSession => {
    if (sessions.size >= deps.maxSessions) {
      throw new RpcError(INVALID_REQUEST, `too many sessions: ${deps.maxSessions} exist already`);
    }
    const id = deps.newId();
    const session = execSession(deps, id, () => sessions.delete(id));
    sessions.set(id, session);
    return session;
  };
  const find = (id: string): ExecSession => {
    const session = sessions.get(id);
    if (session === undefined) throw new RpcError(INVALID_REQUEST, `unknown session id ${id}`);
    return session;
  };
  const resume = (id: string): Observable<ExecSession> =>
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
