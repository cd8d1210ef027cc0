import { NEVER, of } from 'rxjs';
import type { ExecSession } from '../../../src/executor/server/execSession';
import { type ExecSessionsDeps, execSessions } from '../../../src/executor/server/execSessions';
import { INVALID_REQUEST, RpcError } from '../../../src/protocol/jsonrpc/messages';
import { noBackpressure } from '../../../src/streams/backpressure';

const sessionsOf = (own: Partial<ExecSessionsDeps> = {}) => {
  let ids = 0;
  const sessions = execSessions({
    methodsOf: () => ({ 'a/b': () => of() }),
    newId: () => `s${++ids}`,
    graceMs: 0,
    maxSessions: 2,
    stop$: NEVER,
    log: () => {},
    ...own,
  });
  const open = (id?: string): ExecSession | RpcError => {
    const opened: (ExecSession | RpcError)[] = [];
    sessions.open(id).subscribe({ next: (session) => opened.push(session), error: (error) => opened.push(error) });
    expect(opened).toHaveLength(1);
    return opened[0] as ExecSession | RpcError;
  };
  return { hasMethod: sessions.hasMethod, open };
};

const attach = (session: ExecSession | RpcError, isAlive: boolean) => {
  const connection = { isAlive: () => of(isAlive), backpressure: noBackpressure };
  return NEVER.pipe((session as ExecSession).attach(connection)).subscribe();
};

describe('execSessions', () => {
  it('knows the methods of its sessions', () => {
    const { hasMethod } = sessionsOf();
    expect(['a/b', 'toString'].map(hasMethod)).toEqual([true, false]);
  });

  it('opens a new session for each connection, up to a limit', () => {
    const { open } = sessionsOf();
    expect([open(), open()]).toEqual([expect.objectContaining({ id: 's1' }), expect.objectContaining({ id: 's2' })]);
    expect(open()).toEqual(new RpcError(INVALID_REQUEST, 'too many sessions: 2 exist already'));
  });

  it('forgets a session that has ended', () => {
    const { open } = sessionsOf({ maxSessions: 1 });
    attach(open(), true).unsubscribe();
    expect(open('s1')).toEqual(new RpcError(INVALID_REQUEST, 'unknown session id s1'));
    expect(open()).toMatchObject({ id: 's2' });
  });

  it('resumes a session whose client is gone, and no other', () => {
    const { open } = sessionsOf();
    const [first, second] = [open(), open()];
    attach(first, false);
    attach(second, true);
    expect(open('s1')).toBe(first);
    expect(open('s2')).toEqual(new RpcError(-32010, 'session s2 is already attached to another connection'));
    expect(open('s3')).toEqual(new RpcError(INVALID_REQUEST, 'unknown session id s3'));
  });
});
