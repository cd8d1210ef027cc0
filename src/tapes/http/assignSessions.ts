/** The reducer that separates the sessions of MCP over HTTP: which messages of which requests belong to one session, and its state. */
import { isFine, isInitialize, remedyOf } from '../../io/mcpHttp/exchange';
import { INPUT_ENDED, type RecordedLine } from '../format/tape';
import type { ExchangeEvent } from './readExchange';

/** A session. Requests without a session have one without `key` and `endpoint`. */
export type HttpSession = {
  /** Counts from 0. */
  number: number;
  /** Its `Mcp-Session-Id`. */
  key?: string;
  /** The path that the older transport announced for it. */
  endpoint?: string;
  initialized: boolean;
  over: boolean;
  /** The ids of its events. */
  seen: ReadonlySet<string>;
};

/** A request in progress. */
export type Exchange = {
  id: number;
  method: string;
  session?: number;
  /** Its lines while its session is not known. */
  waiting: readonly string[];
  /** 0 before the response. */
  status: number;
  hasResponse: boolean;
};

/** All sessions, and the requests by their number. */
export type HttpSessions = { sessions: readonly HttpSession[]; exchanges: ReadonlyMap<number, Exchange> };

/** The state before the first request. */
export const NO_SESSIONS: HttpSessions = { sessions: [], exchanges: new Map() };

/** The state with this request. */
export const withExchange = (state: HttpSessions, exchange: Exchange): HttpSessions => ({
  ...state,
  exchanges: new Map([...state.exchanges, [exchange.id, exchange]]),
});

/** The state without a request that was closed. */
export const withoutExchange = (state: HttpSessions, id: number): HttpSessions => ({
  ...state,
  exchanges: new Map([...state.exchanges].filter(([one]) => one !== id)),
});

/** The state with this session in place of the session with its number. */
export const withSession = (state: HttpSessions, session: HttpSession): HttpSessions => ({
  ...state,
  sessions: state.sessions.map((one) => (one.number === session.number ? session : one)),
});

type Names = Pick<HttpSession, 'key' | 'endpoint'>;
type Found = { state: HttpSessions; session: HttpSession };

/** The state with one more session. */
export const newSession = (state: HttpSessions, names: Names): Found => {
  const session = { ...names, number: state.sessions.length, initialized: false, over: false, seen: new Set<string>() };
  return { state: { ...state, sessions: [...state.sessions, session] }, session };
};

/** The latest session that has no name, if any. */
export const currentWithout = ({ sessions }: HttpSessions): HttpSession | undefined =>
  sessions.findLast(({ key, endpoint }) => key === undefined && endpoint === undefined);

/** The session with this name; without one, the unnamed session, unless it has an `initialize`: clients may ask before they open one. */
export const claimed = (state: HttpSessions, names: Names): Found => {
  const known = state.sessions.find(({ key }) => key !== undefined && key === names.key);
  if (known) return { state, session: known };
  const unnamed = currentWithout(state);
  if (unnamed === undefined || unnamed.initialized) return newSession(state, names);
  const session = { ...unnamed, ...names };
  return { state: withSession(state, session), session };
};

/** What a recorder emits; sessions count from 0. */
export type SessionOutput =
  | { kind: 'line'; session: number; recorded: RecordedLine }
  | { kind: 'over'; session: number }
  /** A request that belongs to no session, as a text for people. */
  | { kind: 'rejected'; text: string };

/** The new state, and what is emitted. */
export type SessionStep = { state: HttpSessions; output: readonly SessionOutput[] };

/** A line of a session. */
export const lineOf = (session: number, recorded: RecordedLine): SessionOutput => ({ kind: 'line', session, recorded });

/**
 * A request belongs to the session whose id or endpoint it names. A request that names neither belongs to the session without an id, which an
 * `initialize` begins. A first message waits until it is known whether the server accepts it.
 * @param mcpPath the path of the server; requests to other paths are not recorded
 */
export const assignSessions =
  (mcpPath: string) =>
  (state: HttpSessions, event: ExchangeEvent): SessionStep => {
    if (event.kind === 'opened') return { state: open(state, event, mcpPath), output: [] };
    const exchange = state.exchanges.get(event.id);
    if (exchange === undefined) return { state, output: [] };
    switch (event.kind) {
      case 'message':
        return event.dir === 'in' ? receive(state, exchange, event) : respond(state, exchange, event);
      case 'answered':
        return answer(state, exchange, event);
      case 'endpoint':
        return settle(claimed(state, { endpoint: event.path }), exchange);
      case 'closed':
        return closeExchange(state, exchange, event);
    }
  };

/** How many event ids a session remembers; servers keep few events for a client that resumes. */
const MAX_SEEN = 1_000;

type Of<K extends ExchangeEvent['kind']> = Extract<ExchangeEvent, { kind: K }>;

const open = (state: HttpSessions, { id, method, path, session: key }: Of<'opened'>, mcpPath: string): HttpSessions => {
  const found = state.sessions.find((one) => (key === undefined ? one.endpoint === path : one.key === key));
  const exchange: Exchange = { id, method, waiting: [], status: 0, hasResponse: false };
  if (found) return withExchange(state, { ...exchange, session: found.number });
  if (path.split('?', 1)[0] !== mcpPath) return state;
  if (key === undefined) return withExchange(state, exchange);
  const { state: next, session } = newSession(state, { key }); // it began before the recorder did
  return withExchange(next, { ...exchange, session: session.number });
};

const receive = (state: HttpSessions, exchange: Exchange, { line: text }: Of<'message'>): SessionStep => {
  const named = exchange.session ?? (isInitialize(text) ? undefined : currentWithout(state)?.number);
  if (named === undefined) {
    return { state: withExchange(state, { ...exchange, waiting: [...exchange.waiting, text] }), output: [] };
  }
  return {
    state: withExchange(state, { ...exchange, session: named }),
    output: [lineOf(named, { dir: 'in', line: text })],
  };
};

/** The request and the messages that it has sent belong to this session. */
const settle = ({ state, session }: { state: HttpSessions; session: HttpSession }, exchange: Exchange): SessionStep => {
  const { number } = session;
  const initialized = session.initialized || exchange.waiting.some(isInitialize);
  return {
    state: withExchange(withSession(state, { ...session, initialized }), { ...exchange, session: number, waiting: [] }),
    output: exchange.waiting.map((text) => lineOf(number, { dir: 'in', line: text })),
  };
};

const answer = (state: HttpSessions, before: Exchange, { status, session: key }: Of<'answered'>): SessionStep => {
  const exchange = { ...before, status };
  const unsettled = { state: withExchange(state, exchange), output: [] };
  if (exchange.session !== undefined || !isFine(status)) return unsettled;
  if (key !== undefined) return settle(claimed(state, { key }), exchange);
  return exchange.waiting.length === 0 ? unsettled : settle(withoutKey(state, exchange), exchange);
};

const withoutKey = (state: HttpSessions, { waiting }: Exchange) => {
  const session = currentWithout(state);
  const isNew = session === undefined || (session.initialized && waiting.some(isInitialize));
  return isNew ? newSession(state, {}) : { state, session };
};

/** A message of the server. Events that a client receives again because it resumes a stream are skipped. */
const respond = (state: HttpSessions, exchange: Exchange, event: Of<'message'>): SessionStep => {
  if (exchange.session === undefined) {
    if (exchange.waiting.length === 0 || !event.line.startsWith('{')) return { state, output: [] };
    const settled = settle(withoutKey(state, exchange), exchange);
    const now = settled.state.exchanges.get(exchange.id) as Exchange;
    const next = respond(settled.state, now, event);
    return { state: next.state, output: [...settled.output, ...next.output] };
  }
  const { line: text, eventId, injected } = event;
  const session = state.sessions[exchange.session] as HttpSession;
  if (eventId !== undefined && session.seen.has(eventId)) return { state, output: [] };
  const seen = eventId === undefined ? session.seen : new Set([...[...session.seen].slice(-MAX_SEEN), eventId]);
  const status = exchange.status >= 400 ? { status: exchange.status } : {};
  return {
    state: withExchange(withSession(state, { ...session, seen }), { ...exchange, hasResponse: true }),
    output: [
      lineOf(session.number, { dir: 'out', line: text, ...status, ...(injected !== undefined && { injected }) }),
    ],
  };
};

/** The state without a closed request; the session may end with it, or note that it failed. */
export const closeExchange = (
  state: HttpSessions,
  exchange: Exchange,
  { isWhole, trouble }: Of<'closed'>,
): SessionStep => {
  const { session: number, method, status, hasResponse, waiting } = exchange;
  const next = withoutExchange(state, exchange.id);
  const failure = trouble ?? `HTTP ${status}`;
  if (number === undefined) {
    const reason = trouble === undefined ? `was answered with ${failure}` : `failed (${trouble}; ${remedyOf(trouble)})`;
    const text = `${method} ${reason}, so it is not recorded`;
    return { state: next, output: waiting.length === 0 && trouble === undefined ? [] : [{ kind: 'rejected', text }] };
  }
  const session = state.sessions[number] as HttpSession;
  const isOver = (method === 'DELETE' && isFine(status)) || (method === 'GET' && session.endpoint !== undefined);
  if (isOver && !session.over) {
    const over = withSession(next, { ...session, over: true });
    return {
      state: over,
      output: [lineOf(number, { dir: 'note', line: INPUT_ENDED }), { kind: 'over', session: number }],
    };
  }
  const note = noteOf({ method, failed: !isFine(status) && !hasResponse, isWhole, failure });
  return { state: next, output: note === undefined ? [] : [lineOf(number, { dir: 'note', line: note })] };
};

type Closing = { method: string; failed: boolean; isWhole: boolean; failure: string };

const noteOf = ({ method, failed, isWhole, failure }: Closing): string | undefined => {
  if (method !== 'POST') return undefined;
  if (failed) return `a request of the client failed: ${failure}`;
  return isWhole ? undefined : 'the client closed a request before its response was complete';
};
