import { closeExchange } from '../../../src/tapes/http/assignSessions';
import { type Exchange, type HttpSession, type HttpSessions, withExchange } from '../../../src/tapes/http/httpSessions';

const session: HttpSession = { number: 0, key: 'k', initialized: true, over: false, seen: new Set() };
const exchange: Exchange = { id: 1, method: 'POST', session: 0, waiting: [], status: 200, hasResponse: false };
const unknown = { ...exchange, session: undefined };
const note = (line: string) => ({ kind: 'line', session: 0, recorded: { dir: 'note', line } });
const rejected = (why: string) => ({ kind: 'rejected', text: `POST ${why}, so it is not recorded` });
const ended = [note('standard input closed'), { kind: 'over', session: 0 }];

/** What is left of a session with this request, and the output. */
const closed = (own: Exchange, isWhole = true, more: { trouble?: string; session?: Partial<HttpSession> } = {}) => {
  const before: HttpSessions = withExchange({ sessions: [{ ...session, ...more.session }], exchanges: new Map() }, own);
  const { state, output } = closeExchange(before, own, {
    ...{ kind: 'closed', id: 1, isWhole },
    ...(more.trouble !== undefined && { trouble: more.trouble }),
  });
  return { exchanges: state.exchanges.size, over: state.sessions[0]?.over, output };
};
const left = (output: object[], over = false) => ({ exchanges: 0, over, output });

describe('closeExchange', () => {
  it.each([
    ['a request with its response    ', exchange, true, []],
    [
      'one that the client closed     ',
      exchange,
      false,
      [note('the client closed a request before its response was complete')],
    ],
    [
      'one that failed                ',
      { ...exchange, status: 500 },
      true,
      [note('a request of the client failed: HTTP 500')],
    ],
    ['one that failed with a response', { ...exchange, status: 400, hasResponse: true }, true, []],
    ['a stream that is closed        ', { ...exchange, method: 'GET' }, false, []],
    ['a DELETE that failed           ', { ...exchange, method: 'DELETE', status: 405 }, true, []],
    ['one without a session or lines ', unknown, true, []],
    [
      'one whose lines wait in vain   ',
      { ...unknown, waiting: ['x'], status: 404 },
      true,
      [rejected('was answered with HTTP 404')],
    ],
  ])('closes %s', (_, own, isWhole, output) => {
    expect(closed(own, isWhole)).toEqual(left(output));
  });

  it('names what was wrong with the connection', () => {
    expect(closed(unknown, true, { trouble: 'a reset' })).toEqual(
      left([rejected('failed (a reset; is the server running?)')]),
    );
    expect(closed({ ...exchange, status: 0 }, true, { trouble: 'a reset' })).toEqual(
      left([note('a request of the client failed: a reset')]),
    );
  });

  it('ends a session with a DELETE, or with the one stream of the older transport, once', () => {
    const [DELETE, GET] = ['DELETE', 'GET'].map((method) => ({ ...exchange, method })) as [Exchange, Exchange];
    expect(closed(DELETE)).toEqual(left(ended, true));
    expect(closed(GET, false, { session: { endpoint: '/m' } })).toEqual(left(ended, true));
    expect(closed(DELETE, true, { session: { over: true } })).toEqual(left([], true));
  });
});
