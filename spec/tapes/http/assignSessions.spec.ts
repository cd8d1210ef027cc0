import {
  assignSessions,
  claimed,
  closeExchange,
  currentWithout,
  type Exchange,
  type HttpSession,
  type HttpSessions,
  lineOf,
  NO_SESSIONS,
  newSession,
  type SessionOutput,
  withExchange,
  withoutExchange,
  withSession,
} from '../../../src/tapes/http/assignSessions';
import type { ExchangeEvent } from '../../../src/tapes/http/readExchange';

const assign = assignSessions('/mcp');

/** What the reducer puts out for these events: `0 in line` and the like. */
const outputsOf = (...events: ExchangeEvent[]): string[] => {
  let state = NO_SESSIONS;
  return events.flatMap((event) => {
    const step = assign(state, event);
    state = step.state;
    return step.output.map(toText);
  });
};

const toText = (output: SessionOutput): string => {
  if (output.kind === 'rejected') return output.text;
  if (output.kind === 'over') return `${output.session} over`;
  const { dir, line, status } = output.recorded;
  return `${output.session} ${dir} ${line}${status === undefined ? '' : ` ${status}`}`;
};

type Given = { method?: string; path?: string; session?: string };

const open = (id: number, { method = 'POST', path = '/mcp', session }: Given = {}): ExchangeEvent => ({
  kind: 'opened',
  id,
  method,
  path,
  ...(session !== undefined && { session }),
});
const sent = (id: number, line: string): ExchangeEvent => ({ kind: 'message', id, dir: 'in', line });
const received = (id: number, line: string, eventId?: string): ExchangeEvent => ({
  kind: 'message',
  id,
  dir: 'out',
  line,
  ...(eventId !== undefined && { eventId }),
});
const answered = (id: number, status: number, session?: string): ExchangeEvent => ({
  kind: 'answered',
  id,
  status,
  ...(session !== undefined && { session }),
});
const closed = (id: number, isWhole = true): ExchangeEvent => ({ kind: 'closed', id, isWhole });

const INIT = '{"id":0,"method":"initialize"}';
const CALL = '{"id":1,"method":"tools/call"}';
const DISCOVER = '{"id":0,"method":"server/discover"}';

/** A client opens a session, in the request with this number. */
const opened = (id: number, session: string): ExchangeEvent[] => [
  open(id),
  sent(id, INIT),
  answered(id, 200, session),
  received(id, `hello ${session}`),
  closed(id),
];

describe('assignSessions', () => {
  it('separates sessions by their id, until the client ends one', () => {
    const events = [
      ...opened(0, 'a'),
      ...opened(1, 'b'),
      open(2, { session: 'a' }),
      sent(2, CALL),
      answered(2, 200),
      received(2, 'result'),
      closed(2),
      open(3, { session: 'a', method: 'DELETE' }),
      answered(3, 204),
      closed(3),
    ];
    expect(outputsOf(...events)).toEqual([
      `0 in ${INIT}`,
      '0 out hello a',
      `1 in ${INIT}`,
      '1 out hello b',
      `0 in ${CALL}`,
      '0 out result',
      '0 note standard input closed',
      '0 over',
    ]);
  });

  it('gives the session that a client opens what it asked before', () => {
    const probe = [open(0), sent(0, DISCOVER), answered(0, 400), received(0, '{"id":null,"error":{}}'), closed(0)];
    expect(outputsOf(...probe, ...opened(1, 'a'))).toEqual([
      `0 in ${DISCOVER}`,
      '0 out {"id":null,"error":{}} 400',
      `0 in ${INIT}`,
      '0 out hello a',
    ]);
  });

  it('has one session for requests without an id, and another from each further initialize on', () => {
    const call = (id: number, line: string) => [open(id), sent(id, line), answered(id, 200), closed(id)];
    expect(outputsOf(...call(0, INIT), ...call(1, CALL), ...call(2, INIT), ...call(3, CALL))).toEqual([
      `0 in ${INIT}`,
      `0 in ${CALL}`,
      `1 in ${INIT}`,
      `1 in ${CALL}`,
    ]);
  });

  it('knows a session of the older transport by its endpoint, and ends it with its stream', () => {
    const events: ExchangeEvent[] = [
      open(0, { method: 'GET' }),
      answered(0, 200),
      { kind: 'endpoint', id: 0, path: '/message?sessionId=1' },
      open(1, { path: '/message?sessionId=1' }),
      sent(1, INIT),
      received(0, 'hello'),
      answered(1, 202),
      closed(1),
      closed(0, false),
    ];
    expect(outputsOf(...events)).toEqual([`0 in ${INIT}`, '0 out hello', '0 note standard input closed', '0 over']);
  });

  it('leaves out an event that comes again when a client resumes', () => {
    const events = [
      ...opened(0, 'a'),
      open(1, { session: 'a', method: 'GET' }),
      answered(1, 200),
      received(1, 'one', '7'),
      received(1, 'one', '7'),
      received(1, 'two', '8'),
    ];
    expect(outputsOf(...events).slice(2)).toEqual(['0 out one', '0 out two']);
  });

  it('does not record what the server refuses before a session, nor other paths', () => {
    const older = [open(0), sent(0, INIT), answered(0, 404), closed(0)];
    const other = [open(1, { path: '/.well-known/x' }), answered(1, 200), received(1, '{}'), closed(1)];
    expect(outputsOf(...older, ...other)).toEqual(['POST was answered with HTTP 404, so it is not recorded']);
  });

  it('notes requests that fail, and those that the client gives up', () => {
    const events = [
      ...opened(0, 'a'),
      ...[open(1, { session: 'a' }), sent(1, CALL), answered(1, 500), closed(1)],
      ...[open(2, { session: 'a' }), sent(2, CALL), answered(2, 200), closed(2, false)],
    ];
    expect(outputsOf(...events).slice(2)).toEqual([
      `0 in ${CALL}`,
      '0 note a request of the client failed: HTTP 500',
      `0 in ${CALL}`,
      '0 note the client closed a request before its response was complete',
    ]);
  });

  it('takes up a session that began before the recorder did', () => {
    expect(outputsOf(open(0, { session: 'old' }), sent(0, CALL))).toEqual([`0 in ${CALL}`]);
  });
});

describe('closeExchange', () => {
  const session: HttpSession = { number: 0, key: 'k', initialized: true, over: false, seen: new Set() };
  const exchange: Exchange = { id: 1, method: 'POST', session: 0, waiting: [], status: 200, hasResponse: false };
  const unknown = { ...exchange, session: undefined };
  const note = (line: string) => ({ kind: 'line', session: 0, recorded: { dir: 'note', line } });
  const rejected = (why: string) => ({ kind: 'rejected', text: `POST ${why}, so it is not recorded` });
  const ended = [note('standard input closed'), { kind: 'over', session: 0 }];
  /** What is left of a session with this request, and the output. */
  const closed = (own: Exchange, isWhole = true, more: { trouble?: string; session?: Partial<HttpSession> } = {}) => {
    const before: HttpSessions = withExchange(
      { sessions: [{ ...session, ...more.session }], exchanges: new Map() },
      own,
    );
    const { state, output } = closeExchange(before, own, {
      kind: 'closed',
      id: 1,
      isWhole,
      ...(more.trouble !== undefined && { trouble: more.trouble }),
    });
    return { exchanges: state.exchanges.size, over: state.sessions[0]?.over, output };
  };
  const left = (output: object[], over = false) => ({ exchanges: 0, over, output });

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
