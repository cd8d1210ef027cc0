/** Reads the messages out of one relayed HTTP request and its response. */
import {
  catchError,
  concatMap,
  connect,
  EMPTY,
  filter,
  map,
  merge,
  type Observable,
  type OperatorFunction,
  scan,
  switchMap,
  takeWhile,
  throwError,
} from 'rxjs';
import type { HttpHeaders } from '../../io/http/httpRequest';
import type { HttpRelayEvent } from '../../io/http/relayHttp';
import { EventTooLong, joinText, readEvents, type ServerSentEvent, toSingleLine } from '../../io/mcpHttp/readEvents';
import { decodeUtf8 } from '../../streams/bytes/decodeUtf8';
import { ofKind } from '../../streams/ofKind';

/** What happens in one request and its response; `id` numbers the request. */
export type ExchangeEvent =
  /** The head of the request; `path` includes the query, `session` is its `Mcp-Session-Id`. */
  | { kind: 'opened'; id: number; method: string; path: string; session?: string }
  /** A line of the client (`in`) or of the server (`out`); `eventId` is the id of its event, for resumption; `injected` what the recorder did to it. */
  | { kind: 'message'; id: number; dir: 'in' | 'out'; line: string; eventId?: string; injected?: string }
  /** The head of the response. */
  | { kind: 'answered'; id: number; status: number; session?: string }
  /** Where the older transport takes the client's messages. */
  | { kind: 'endpoint'; id: number; path: string }
  /** The end; `isWhole` is false if the client did not wait for the end of the response. */
  | { kind: 'closed'; id: number; isWhole: boolean; trouble?: string };

type Of<K extends HttpRelayEvent['kind']> = Extract<HttpRelayEvent, { kind: K }>;

/**
 * Turns the events of the request with this number into its messages: its body is a message; so is the response, or each event of an event stream.
 * Completes and errors with the source.
 *   in   rci-sccc---x|    (r request, c chunks, i its end, s the head of the response, x closed)
 *   out  r-m-s-MM---x|    (m, M messages)
 */
export const readExchange =
  (id: number): OperatorFunction<HttpRelayEvent, ExchangeEvent> =>
  (event$) =>
    event$.pipe(
      connect((shared$) =>
        merge(
          shared$.pipe(ofKind('request'), map(toOpened)),
          shared$.pipe(
            textOf('in'),
            asOneLine(),
            map((line): ExchangeEvent => ({ kind: 'message', id, dir: 'in', line })),
          ),
          shared$.pipe(ofKind('response'), map(toAnswered)),
          shared$.pipe(
            ofKind('response'),
            switchMap(({ headers }) => shared$.pipe(textOf('out'), messagesOf(id, headers), withInjected(shared$))),
          ),
          shared$.pipe(toClosed()),
        ),
      ),
    );

const sessionOf = (headers: HttpHeaders): { session?: string } => {
  const session = headers['mcp-session-id'];
  return typeof session === 'string' ? { session } : {};
};

const toOpened = ({ id, method, url, headers }: Of<'request'>): ExchangeEvent => ({
  kind: 'opened',
  id,
  method,
  path: url,
  ...sessionOf(headers),
});

const toAnswered = ({ id, status, headers }: Of<'response'>): ExchangeEvent => ({
  kind: 'answered',
  id,
  status,
  ...sessionOf(headers),
});

/** The text of one direction as it comes; completes at its end. */
const textOf =
  (dir: 'in' | 'out'): OperatorFunction<HttpRelayEvent, string> =>
  (event$) =>
    event$.pipe(
      filter((event): event is Of<'chunk' | 'ended'> => 'dir' in event && event.dir === dir),
      takeWhile(({ kind }) => kind !== 'ended'),
      ofKind('chunk'),
      map(({ chunk }) => chunk),
      decodeUtf8(),
    );

const asOneLine = (): OperatorFunction<string, string> => (text$) => text$.pipe(joinText(), concatMap(toLines));

const toLines = (body: string): string[] => {
  const line = toSingleLine(body);
  return line === undefined ? [] : [line];
};

const messagesOf = (id: number, headers: HttpHeaders): OperatorFunction<string, ExchangeEvent> => {
  const type = headers['content-type'] ?? '';
  if (type.includes('text/event-stream')) {
    return (text$) =>
      text$.pipe(
        readEvents(),
        concatMap((event) => toMessage(id, event)),
        catchError(untilTooLong),
      );
  }
  if (!type.includes('json')) return (text$) => text$.pipe(concatMap(() => []));
  return (text$) =>
    text$.pipe(
      asOneLine(),
      map((line): ExchangeEvent => ({ kind: 'message', id, dir: 'out', line })),
    );
};

/** Whatever follows an event that is too long is relayed, but not recorded. */
const untilTooLong = (error: unknown): Observable<never> =>
  error instanceof EventTooLong ? EMPTY : throwError(() => error);

type Marking = { faults: ReadonlyMap<number, string>; messages: number; output: readonly ExchangeEvent[] };

/** Adds what was injected into the messages of a response; that comes before its message. */
const withInjected =
  (event$: Observable<HttpRelayEvent>): OperatorFunction<ExchangeEvent, ExchangeEvent> =>
  (message$) =>
    merge(event$.pipe(ofKind('injected')), message$).pipe(
      scan<Of<'injected'> | ExchangeEvent, Marking>(
        ({ faults, messages }, event) => {
          if (event.kind === 'injected')
            return { faults: new Map([...faults, [event.message, event.injected]]), messages, output: [] };
          if (event.kind !== 'message') return { faults, messages, output: [event] };
          const injected = faults.get(messages);
          return {
            faults: new Map([...faults].filter(([message]) => message > messages)),
            messages: messages + 1,
            output: [{ ...event, ...(injected !== undefined && { injected }) }],
          };
        },
        { faults: new Map(), messages: 0, output: [] },
      ),
      concatMap(({ output }) => output),
    );

/** An event without data merely opens a stream. Source: MCP 2025-11-25, Streamable HTTP. */
const toMessage = (id: number, { event = 'message', id: eventId, data }: ServerSentEvent): ExchangeEvent[] => {
  if (event === 'endpoint') return toPaths(data).map((path) => ({ kind: 'endpoint', id, path }));
  const line = toSingleLine(data);
  if (event !== 'message' || line === undefined) return [];
  return [{ kind: 'message', id, dir: 'out', line, ...(eventId !== undefined && { eventId }) }];
};

/** The path and the query of an address, which may be relative to the origin; nothing if the text is no address. */
const toPaths = (address: string): string[] => {
  if (!URL.canParse(address, 'http://localhost')) return [];
  const { pathname, search } = new URL(address, 'http://localhost');
  return [pathname + search];
};

const toClosed = (): OperatorFunction<HttpRelayEvent, ExchangeEvent> => (event$) =>
  event$.pipe(
    scan<HttpRelayEvent, { isWhole: boolean; closed?: ExchangeEvent }>(
      ({ isWhole }, event) => {
        if (event.kind !== 'closed') return { isWhole: isWhole || (event.kind === 'ended' && event.dir === 'out') };
        const { id, trouble } = event;
        return { isWhole, closed: { kind: 'closed', id, isWhole, ...(trouble !== undefined && { trouble }) } };
      },
      { isWhole: false },
    ),
    concatMap(({ closed }) => (closed === undefined ? [] : [closed])),
  );
