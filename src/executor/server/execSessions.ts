/** The sessions of one exec-server: new ones, resumed ones, and how many there may be. */
import { defer, map, type Observable, of } from 'rxjs';
import { INVALID_REQUEST, RpcError } from '../../protocol/jsonrpc/messages';
import { noBackpressure } from '../../streams/backpressure';
import { type ExecSession, type ExecSessionDeps, execSession } from './execSession';

/** How many sessions there may be, and how they work. */
export type ExecSessionsDeps = ExecSessionDeps & {
  newId: () => string;
  /** At once, including sessions that wait for their client. */
  maxSessions: number;
};

/** The sessions of one server. */
export type ExecSessions = {
  hasMethod: (name: string) => boolean;
  /** Emits a new session, or the session to resume, unless the client of its connection is alive. Errors with RpcError, which is the response. */
  open: (resumeSessionId: string | undefined) => Observable<ExecSession>;
};

/** Source: codex exec-server 0.142.0; 0.130.0 has -32600. */
const ATTACHED_ELSEWHERE = -32010;

/** The sessions of one server, none at first. */
export const execSessions = (deps: ExecSessionsDeps): ExecSessions => {
  const sessions = new Map<string, ExecSession>();
  const methodNames = new Set(Object.keys(deps.methodsOf(noBackpressure, '')));
  return {
    hasMethod: (name) => methodNames.has(name),
    open: (id) => defer(() => (id === undefined ? of(create(deps, sessions)) : resume(sessions, id))),
  };
};

type Sessions = Map<string, ExecSession>;

const create = (deps: ExecSessionsDeps, sessions: Sessions): ExecSession => {
  if (sessions.size >= deps.maxSessions) {
    throw new RpcError(INVALID_REQUEST, `too many sessions: ${deps.maxSessions} exist already`);
  }
  const id = deps.newId();
  const session = execSession(deps, id, () => sessions.delete(id));
  sessions.set(id, session);
  return session;
};

const find = (sessions: Sessions, id: string): ExecSession => {
  const session = sessions.get(id);
  if (session === undefined) throw new RpcError(INVALID_REQUEST, `unknown session id ${id}`);
  return session;
};

const resume = (sessions: Sessions, id: string): Observable<ExecSession> =>
  find(sessions, id)
    .isAttached()
    .pipe(
      map((isAttached) => {
        if (!isAttached) return find(sessions, id); // it may have ended meanwhile
        throw new RpcError(ATTACHED_ELSEWHERE, `session ${id} is already attached to another connection`);
      }),
    );
