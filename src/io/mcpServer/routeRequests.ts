/** The reducer that finds the session of each HTTP request to a played server. */
import type { HttpInput, HttpOutput } from '../http/listenHttp';
import { isInitialize } from '../mcpHttp/exchange';
import { toSingleLine } from '../mcpHttp/readEvents';

/** What a session receives. */
export type SessionInput =
  | (Extract<HttpInput, { kind: 'request' }> & { line?: string; opens?: string; transport: Transport })

  /** The end of a request. */
  | { kind: 'closed'; id: number }

  /** The client ended the session. */
  | { kind: 'over' };

/** The older transport `sse` has one event stream for everything; `streamable` has one for each request; `single` has no sessions. */
export type Transport = 'sse' | 'streamable' | 'single';

/** An input of a session, or a response to a request that belongs to none. */
export type Routed = { kind: 'session'; session: string; input: SessionInput } | HttpOutput;

type Known = { transport: Transport; initialized: boolean };

type Routes = {
  /** Sessions by their id. */
  sessions: ReadonlyMap<string, Known>;
  /** The latest session without an id. */
  single?: string;
  /** The session of each request in progress. */
  requests: ReadonlyMap<number, string>;
};

/** The routes before the first request. */
export const NO_ROUTES: Routes = { sessions: new Map(), requests: new Map() };

/** The new state, and what is emitted. */
type RouteStep = { state: Routes; output: readonly Routed[] };

/** What routing needs. */
export type RouteDeps = {
  /** Makes session ids. */
  newKey: () => string;
  /** Whether a line is the first of a recording, so that a client without a session begins again. */
  opens: (line: string) => boolean;
};

type Request = Extract<HttpInput, { kind: 'request' }>;

/** Routes by `Mcp-Session-Id`, by the endpoint of the older transport, or to the session of requests that name none. */
export const routeRequests =
  (deps: RouteDeps) =>
  (state: Routes, input: HttpInput): RouteStep => {
    if (input.kind === 'bound') return { state, output: [] };
    if (input.kind === 'request') return route(deps, state, input);
    const session = state.requests.get(input.id);
    if (session === undefined) return { state, output: [] };
    const requests = new Map([...state.requests].filter(([id]) => id !== input.id));
    return { state: { ...state, requests }, output: [{ kind: 'session', session, input }] };
  };

const route = (deps: RouteDeps, state: Routes, request: Request): RouteStep => {
  const { method, url, headers } = request;
  const line = toSingleLine(request.body);
  const given = headers['mcp-session-id'] ?? new URLSearchParams(url.split('?', 2)[1]).get(ENDPOINT_QUERY);
  const named = typeof given === 'string' ? given : undefined;
  if (named !== undefined && state.sessions.has(named)) return enter(state, request, { session: named, line });
  if (named !== undefined) return refused(state, request.id, 404);
  if (method === 'GET') return begin(state, request, { session: deps.newKey(), transport: 'sse' });
  if (method !== 'POST' || line === undefined) return refused(state, request.id, method === 'POST' ? 400 : 405);
  return routeUnnamed(deps, state, { ...request, line });
};

/** The query parameter that names the session at the endpoint of the older transport. */
export const ENDPOINT_QUERY = 'sessionId';

const routeUnnamed = (deps: RouteDeps, state: Routes, request: Request & { line: string }): RouteStep => {
  const { line } = request;
  const single = state.sessions.get(state.single ?? '');
  if (isInitialize(line)) {
    if (state.single !== undefined && single?.initialized === false) {
      return begin(state, request, { session: state.single, transport: 'streamable' });
    }
    return begin(state, request, { session: deps.newKey(), transport: 'streamable' });
  }
  if (single === undefined || deps.opens(line)) {
    return begin(state, request, { session: deps.newKey(), transport: 'single' });
  }
  return enter(state, request, { session: state.single as string, line });
};

type Beginning = { session: string; transport: Transport };

/** Opens a session. A session that had no id and now gets one no longer serves requests without one. */
const begin = (state: Routes, request: Request, { session, transport }: Beginning): RouteStep => {
  const sessions = new Map([...state.sessions, [session, { transport, initialized: transport !== 'single' }]]);
  const single = transport === 'single' ? session : state.single === session ? undefined : state.single;
  const line = toSingleLine(request.body);
  return enter({ ...state, sessions, single }, request, {
    session,
    line,
    ...(transport !== 'single' && { opens: session }),
  });
};

type Entering = { session: string; line: string | undefined; opens?: string };

const enter = (state: Routes, request: Request, { session, line, opens }: Entering): RouteStep => {
  const { transport } = state.sessions.get(session) as Known;
  const input: SessionInput = {
    ...request,
    transport,
    ...(line !== undefined && { line }),
    ...(opens !== undefined && { opens }),
  };
  const requests = new Map([...state.requests, [request.id, session]]);
  const entered: Routed = { kind: 'session', session, input };
  if (request.method !== 'DELETE') return { state: { ...state, requests }, output: [entered] };
  const sessions = new Map([...state.sessions].filter(([key]) => key !== session));
  return {
    state: { ...state, sessions, requests },
    output: [entered, { kind: 'session', session, input: { kind: 'over' } }],
  };
};

const refused = (state: Routes, id: number, status: number): RouteStep => {
  const headers: Record<string, string> = status === 405 ? { allow: 'GET, POST, DELETE' } : {};
  return {
    state,
    output: [
      { kind: 'head', id, status, headers },
      { kind: 'end', id },
    ],
  };
};
