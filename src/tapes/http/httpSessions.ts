/** The state of a recorder of MCP over HTTP: its sessions, and the requests in progress. */
import type { RecordedLine } from '../format/tape';

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

/**
 * The session with this name. If there is none yet, the session without a name gets it, unless that session has an `initialize`: a client may ask a
 * server what it is before it opens a session.
 */
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
