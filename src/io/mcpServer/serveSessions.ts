/** Serves recorded sessions over HTTP: one playback for each session of a client. */
import {
  concat,
  concatMap,
  connect,
  defer,
  EMPTY,
  filter,
  groupBy,
  merge,
  mergeMap,
  type Observable,
  type OperatorFunction,
  of,
  scan,
  takeWhile,
} from 'rxjs';
import { idKey } from '../../protocol/jsonrpc/messages';
import { parseLine } from '../../protocol/jsonrpc/parseLine';
import { namesOf } from '../../protocol/jsonrpc/requestNames';
import { ofKind } from '../../streams/ofKind';
import type { HttpInput, HttpOutput } from '../http/listenHttp';
import {
  addStream,
  NO_STREAMS,
  type ResponseStream,
  type ResponseStreams,
  type SentLine,
  type StreamStep,
  sendLine,
  toHead,
  toWhole,
  withStream,
} from './responseStreams';
import {
  ENDPOINT_QUERY,
  NO_ROUTES,
  type RouteDeps,
  type Routed,
  routeRequests,
  type SessionInput,
} from './routeRequests';

/** What playing a server emits besides lines: remarks for people, of any kind but `line`. */
type Played<R> = ({ kind: 'line' } & SentLine) | R;

type ServeDeps<R> = RouteDeps & {
  /** Takes the client's lines, emits the server's lines and remarks; called once per session. */
  play: () => OperatorFunction<string, Played<R>>;
};

/**
 * Serves both transports of MCP over HTTP. Emits parts of responses, and the remarks of the playbacks; completes when its source and all
 * playbacks have completed; errors with them.
 *   in   -r-----s--|    (r, s requests of two sessions)
 *   out  --hte---hte|   (h head, t text, e end)
 */
export const serveSessions =
  <R extends { kind: string }>(deps: ServeDeps<R>): OperatorFunction<HttpInput, HttpOutput | R> =>
  (input$) =>
    defer(() => {
      const route = routeRequests(deps);
      return input$.pipe(
        scan(({ state }, input) => route(state, input), { state: NO_ROUTES, output: [] as readonly Routed[] }),
        concatMap(({ output }) => output),
        connect((routed$) =>
          merge(
            routed$.pipe(filter((one): one is HttpOutput => one.kind !== 'session')),
            routed$.pipe(
              ofKind('session'),
              groupBy(({ session }) => session, { element: ({ input }) => input }),
              mergeMap((sessionInput$) => sessionInput$.pipe(playSession(deps.play))),
            ),
          ),
        ),
      );
    });

/** One session: its lines go to a playback, whose output goes out on the streams of its requests. */
const playSession =
  <R extends { kind: string }>(play: ServeDeps<R>['play']): OperatorFunction<SessionInput, HttpOutput | R> =>
  (input$) =>
    input$.pipe(
      connect((shared$) =>
        merge(
          shared$, // before the lines that a request brings about
          shared$.pipe(
            takeWhile(({ kind }) => kind !== 'over'),
            concatMap((input) => (input.kind === 'request' && input.line !== undefined ? [input.line] : [])),
            play(),
          ),
        ),
      ),
      scan<SessionInput | Played<R>, StreamStep & { remark?: R }>(step, { state: NO_STREAMS, output: [] }),
      concatMap(
        ({ output, remark }): Observable<HttpOutput | R> => concat(output, remark === undefined ? EMPTY : of(remark)),
      ),
    );

const STREAM_INPUTS = new Set<string>(['line', 'closed', 'over', 'request']);

const isStreamInput = (item: { kind: string }): item is StreamInput => STREAM_INPUTS.has(item.kind);

const step = <R extends { kind: string }>({ state }: StreamStep, item: SessionInput | Played<R>) => {
  if (isStreamInput(item)) return reduceStreams(state, item);
  return { state, output: [], remark: item as R };
};

/** What the reducer receives, from clients and from the played server. */
export type StreamInput = SessionInput | ({ kind: 'line' } & SentLine);

type Request = Extract<SessionInput, { kind: 'request' }>;

const SESSION_HEADER = 'mcp-session-id';

/** The new state, and the parts of responses to send. */
export const reduceStreams = (state: ResponseStreams, input: StreamInput): StreamStep => {
  switch (input.kind) {
    case 'line':
      return sendLine(state, input);
    case 'closed':
      return { state: detached(state, input.id), output: [] };
    case 'over':
      return { state, output: endsOf(state) };
    case 'request':
      return receive(state, input);
  }
};

const detached = (state: ResponseStreams, id: number): ResponseStreams => ({
  ...state,
  streams: state.streams.map((one) => {
    const { exchange, ...rest } = one;
    return exchange === id ? { ...rest, begun: false } : one;
  }),
});

const endsOf = ({ streams }: ResponseStreams): HttpOutput[] =>
  streams.flatMap(({ exchange: id, waitsFor, number }) =>
    id !== undefined && (number === 0 || waitsFor.length > 0) ? [{ kind: 'end' as const, id }] : [],
  );

const receive = (state: ResponseStreams, request: Request): StreamStep => {
  const { id, method, headers, transport } = request;
  if (method === 'DELETE') return { state, output: toWhole(id, { status: 200 }) };
  if (method === 'GET') {
    const last = headers['last-event-id'];
    if (typeof last === 'string') return resume(state, id, last);
    return attach({ ...state, sse: transport === 'sse' }, request);
  }
  if (method !== 'POST')
    return { state, output: toWhole(id, { status: 405, headers: { allow: 'GET, POST, DELETE' } }) };
  return post(state, request);
};

/** Opens the stream of the session. Only one may be open at a time. */
const attach = (state: ResponseStreams, { id, url, transport, opens }: Request): StreamStep => {
  const [stream] = state.streams as [ResponseStream];
  if (stream.exchange !== undefined) return { state, output: toWhole(id, { status: 409 }) };
  const endpoint = `event: endpoint\ndata: ${url.split('?', 1)[0]}?${ENDPOINT_QUERY}=${opens}\n\n`;
  return {
    state: withStream(state, { ...stream, exchange: id, begun: true }),
    output: [
      toHead(id, {}),
      ...(transport === 'sse' ? [{ kind: 'text' as const, id, text: endpoint }] : []),
      ...stream.events.map(({ text }) => ({ kind: 'text' as const, id, text })),
    ],
  };
};

/** Continues a stream after an event. @param last the id of that event: the number of the stream and its own */
const resume = (state: ResponseStreams, id: number, last: string): StreamStep => {
  const [streamNumber, eventNumber] = last.split('-').map(Number) as [number, number?];
  const stream = state.streams.find(({ number }) => number === streamNumber);
  if (stream === undefined || eventNumber === undefined) return { state, output: toWhole(id, { status: 404 }) };
  const events = stream.events.filter(({ number }) => number > eventNumber);
  const isOver = stream.number > 0 && stream.waitsFor.length === 0;
  return {
    state: withStream(state, { ...stream, exchange: id, begun: true }),
    output: [
      toHead(id, {}),
      ...events.map(({ text }) => ({ kind: 'text' as const, id, text })),
      ...(isOver ? [{ kind: 'end' as const, id }] : []),
    ],
  };
};

/** A request gets a stream of its own; anything else is accepted. */
const post = (state: ResponseStreams, { id, headers, line = '', opens }: Request): StreamStep => {
  const requests = parseLine(line).messages.flatMap((message) => (message.kind === 'request' ? [message] : []));
  if (state.sse || requests.length === 0) return { state, output: toWhole(id, { status: 202 }) };
  const accepted = `${headers.accept ?? ''}`;
  return {
    state: addStream(state, {
      exchange: id,
      form: accepted.includes('text/event-stream') || accepted.includes('*/*') ? 'events' : 'json',
      names: requests.flatMap(namesOf).map(({ by, name }) => `${by} ${name}`),
      waitsFor: requests.map((request) => idKey(request.id)),
      headers: opens === undefined ? {} : { [SESSION_HEADER]: opens },
    }),
    output: [],
  };
};
