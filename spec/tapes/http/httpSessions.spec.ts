import {
  claimed,
  currentWithout,
  lineOf,
  NO_SESSIONS,
  newSession,
  withExchange,
  withoutExchange,
  withSession,
} from '../../../src/tapes/http/assignSessions';

describe('httpSessions', () => {
  it('gives a session without a name its name, unless it was initialized', () => {
    const { state, session } = newSession(NO_SESSIONS, {});
    expect(claimed(state, { key: 'a' }).session).toEqual({ ...session, key: 'a' });
    const later = withSession(state, { ...session, initialized: true });
    expect(claimed(later, { key: 'a' }).session).toMatchObject({ number: 1, key: 'a' });
    const known = claimed(state, { key: 'a' }).state;
    expect(claimed(known, { key: 'a' })).toEqual({ state: known, session: { ...session, key: 'a' } });
    expect(currentWithout(known)).toBeUndefined();
  });

  it('knows requests until they are closed', () => {
    const exchange = { id: 4, method: 'POST', waiting: [], status: 0, hasResponse: false };
    const state = withExchange(NO_SESSIONS, exchange);
    expect(state.exchanges.get(4)).toBe(exchange);
    expect(withoutExchange(state, 4)).toEqual(NO_SESSIONS);
  });
});

describe('lineOf', () => {
  it('is a line of its session', () => {
    const recorded = { dir: 'in', line: 'x' } as const;
    expect(lineOf(3, recorded)).toEqual({ kind: 'line', session: 3, recorded });
  });
});
