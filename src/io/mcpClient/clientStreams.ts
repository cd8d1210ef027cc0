/** The event streams that a client of MCP over HTTP reads. */
import { concat, concatMap, EMPTY, mergeMap, type Observable, of, type Subject, takeWhile } from 'rxjs';
import type { HttpPost, HttpResponse } from '../http/httpRequest';
import { maskAddress } from '../log/maskAddress';
import type { ClientMemory } from './clientMemory';
import type { McpEvent } from './failures';
import { type ResponsePart, readResponse } from './readResponse';
import { resumed } from './resumed';

/** What a client needs. */
export type HttpClientDeps = {
  /** Sends a request. */
  send: HttpPost;
  url: string;
  /** What errors call the server, without the secrets in its address. */
  name: string;
};

export type Wires = HttpClientDeps & {
  memory: ClientMemory;
  /** The wire from messages to the stream of the server. */
  open$: Subject<'session' | 'older'>;
  /** The wire from that stream to the message that waits for the endpoint. */
  endpoint$: Subject<unknown>;
};

/** The line in a part of a response, or a remark on a response that failed. */
export const toEvent = ({ name, url, memory }: Wires, part: ResponsePart): Observable<McpEvent> => {
  if (part.kind === 'event') return EMPTY;
  if (part.kind !== 'line') return of(toRemark({ name, url }, part));
  const { line, status, challenge } = part;
  memory.read(line);
  return of({
    kind: 'line',
    line,
    ...(status !== undefined && { status }),
    ...(challenge !== undefined && { challenge }),
  });
};

/** The event after which a stream continues, and the headers of its session; default: the current session's. */
type StreamPlace = { lastEventId?: string | undefined; headers?: Record<string, string> | undefined };

/** Requests the server's stream; with `lastEventId`, what came after that event. */
export const get = (
  { send, url, memory }: Wires,
  { lastEventId, headers = memory.headers() }: StreamPlace = {},
): Observable<HttpResponse> => {
  const last: Record<string, string> = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
  return send({ url, method: 'GET', headers: { accept: 'text/event-stream', ...headers, ...last }, body: '' });
};

/** The stream of a session. A server need not have one: it then answers with an error status, or with something else, such as a page for people. */
export const sessionStream = (wires: Wires): Observable<McpEvent> =>
  get(wires).pipe(
    mergeMap((response) => {
      if (strangerOf(response) !== undefined) return EMPTY;
      return readResponse(response).pipe(
        resumed({ get: (lastEventId) => get(wires, { lastEventId }) }),
        mergeMap((part) => toEvent(wires, part)),
      );
    }),
  );

/** The one stream of the older transport, whose first event names the endpoint that takes messages. */
export const olderStream = (wires: Wires): Observable<McpEvent> =>
  get(wires).pipe(
    mergeMap((response): Observable<McpEvent> => {
      const trouble = strangerOf(response);
      if (trouble !== undefined)
        return of({ kind: 'ended', trouble: `${wires.name} is not an MCP server: it answers ${trouble}` });
      const closed: McpEvent = {
        kind: 'ended',
        trouble: `${wires.name} has closed its stream, which ends the session`,
      };
      return concat(readResponse(response).pipe(concatMap((part) => move(wires, part))), of(closed)).pipe(
        takeWhile(({ kind }) => kind !== 'ended', true),
      );
    }),
  );

/** What shows that the response is not a stream: its status, or another content type, such as a web page's. */
const strangerOf = ({ status, headers }: HttpResponse): string | undefined => {
  if (status >= 300) return `HTTP ${status}`;
  const type = `${headers['content-type'] ?? 'a body of no type'}`;
  return type.includes('text/event-stream') ? undefined : `with ${type}, not with text/event-stream; see its path`;
};

/** Source: MCP TypeScript SDK 1.25, `SSEClientTransport`, which refuses an endpoint of another origin too. */
const move = (wires: Wires, part: ResponsePart): Observable<McpEvent> => {
  if (part.kind !== 'event' || part.event.event !== 'endpoint') return toEvent(wires, part);
  const { memory, endpoint$, name } = wires;
  if (!memory.moveTo(part.event.data)) {
    return of({ kind: 'ended', trouble: `${name} names an endpoint that is not its own, so no message is sent there` });
  }
  endpoint$.next(undefined);
  return EMPTY;
};

/** What people read about a response of an MCP server that is not a message. */
type Failure = Extract<ResponsePart, { kind: 'failed' | 'unanswered' }>;

type RemarkDeps = {
  /** What errors call the server. */
  name: string;
  /** Its address, to which relative addresses refer. */
  url: string;
};

/** The remark: a status, with the target of a redirect; a body that is not a message; or requests that get no response. */
export const toRemark = ({ name, url }: RemarkDeps, part: Failure): McpEvent => {
  if (part.kind === 'unanswered') return { kind: 'log', line: unanswered(name, part.cause), requests: part.requests };
  const { status, location, type, challenge } = part;
  const named = challenge === undefined ? {} : { challenge };
  if (type !== undefined)
    return { kind: 'log', line: `${name} answers with ${type}, not with a message; see its path` };
  const target = location === undefined ? undefined : publicAddress(location, url);
  const leads = target === undefined ? '' : `, which leads to ${target}`;
  return { kind: 'log', line: `HTTP ${status} of ${name}${leads}`, status, ...named };
};

const unanswered = (name: string, cause: string | undefined): string =>
  `${name} has ended its response without a result${cause === undefined ? '' : ` (${cause})`}; see its log, and the limits of any proxy in front of it`;

/** The address without user, password and query, with the parts of its path that may be secrets masked. */
const publicAddress = (location: string, url: string): string | undefined => {
  if (!URL.canParse(location, url)) return undefined;
  const { origin, pathname } = new URL(location, url);
  return maskAddress(origin + pathname);
};
