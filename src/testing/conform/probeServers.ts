/** Servers of MCP that a case gives to an agent: one listener of this process answers for all, and shows what agents send them. */
import { concatMap, defer, filter, map, type Observable, type OperatorFunction } from 'rxjs';
import type { HttpInput, HttpOutput } from '../../io/http/listenHttp';
import { ownOf, parseJson, parseObject, textOf, toJson, toObject } from '../../protocol/jsonrpc/json';
import { METHOD_NOT_FOUND } from '../../protocol/jsonrpc/messages';
import { connectPeers } from '../../streams/connectPeers';
import { withoutEscapes } from '../../streams/text/trim';

/** A message that such a server got. */
export type SeenMessage = {
  /** The method; empty for what is no request and no notification. */
  method: string;
  /** The arguments and the variable of a server that was started. */
  args?: unknown;
  variable?: string;
  /** The header of a server behind a URL; over SSE, when the stream was opened. */
  header?: string;
};

/** Servers for one session of an agent, as its `mcpServers` has them. */
export type GivenServers = {
  stdio: object;
  http: object;
  sse: object;
  /** What each has got by now. */
  seen: (transport: 'stdio' | 'http' | 'sse') => readonly SeenMessage[];
};

/** What such a server is started with, or asked with. */
export const GIVEN = { args: ['one', 'two words'], variable: 'given "value"', header: 'given value' };

const VARIABLE = 'CODEX_RX_PROBE';

/** Passes lines on to the listener, with what the process was started with. */
const SCRIPT = `
const [url, ...args] = process.argv.slice(1);
const headers = { 'x-args': encodeURIComponent(JSON.stringify(args)), 'x-variable': encodeURIComponent(process.env.${VARIABLE} ?? '') };
require('node:readline').createInterface({ input: process.stdin }).on('line', async (body) => {
  const text = await (await fetch(url, { method: 'POST', body, headers })).text();
  if (text !== '') console.log(text);
});
`;

type Probe = () => GivenServers;

/** How much is kept of what an agent sends: messages of a server, and no methods with more characters. */
const MAX_SEEN = 100;
const MAX_CHARS = 100;

/** Emits what makes the servers of a session once it listens, and does not complete. Unsubscribing stops listening. @param node starts a script */
export const probeServers = (listen: OperatorFunction<HttpOutput, HttpInput>, node: string): Observable<Probe> =>
  defer(() => {
    const seen = new Map<string, SeenMessage[]>();
    const respond = responder(seen);
    let sessions = 0;
    return connectPeers<HttpOutput, HttpInput>((input$) => input$.pipe(concatMap(respond)), listen).pipe(
      map(({ item }) => item),
      filter((item) => item.kind === 'bound'),
      map(({ url }) => () => {
        sessions += 1;
        const own = sessions;
        for (const transport of ['stdio', 'http', 'sse']) seen.set(`/${transport}/${own}`, []);
        const seenBy: GivenServers['seen'] = (transport) => seen.get(`/${transport}/${own}`) ?? [];
        return { ...toServers(url, own, node), seen: seenBy };
      }),
    );
  });

const toServers = (url: string, session: number, node: string): Omit<GivenServers, 'seen'> => {
  const behind = (type: string) => ({
    type,
    name: `conform-${type}`,
    url: `${url}/${type}/${session}`,
    headers: [{ name: 'X-Given', value: GIVEN.header }],
  });
  const stdio = {
    name: 'conform-stdio',
    command: node,
    args: ['-e', SCRIPT, `${url}/stdio/${session}`, ...GIVEN.args],
    env: [{ name: VARIABLE, value: GIVEN.variable }],
  };
  return { stdio, http: behind('http'), sse: behind('sse') };
};

const JSON_HEAD = { 'content-type': 'application/json' };
const EVENTS = { 'content-type': 'text/event-stream' };

type Request = Extract<HttpInput, { kind: 'request' }>;

/** A response that ends at once. */
const whole = (id: number, status: number, text = ''): HttpOutput[] => [
  { kind: 'head', id, status, headers: text === '' ? {} : JSON_HEAD },
  ...(text === '' ? [] : [{ kind: 'text' as const, id, text }]),
  { kind: 'end', id },
];

/** Answers requests. @param seen the servers by their paths; what each gets is added. Nobody else is there for an agent, whatever it sends */
const responder = (seen: ReadonlyMap<string, SeenMessage[]>) => {
  const streams = new Map<string, Request>(); // by which servers of the transport sse answer
  const openStream = (request: Request): HttpOutput[] => {
    const { id, url } = request;
    streams.set(url, request);
    return [
      { kind: 'head', id, status: 200, headers: EVENTS },
      { kind: 'text', id, text: `event: endpoint\ndata: ${url}\n\n` },
    ];
  };
  const post = ({ id, url, headers, body }: Request): HttpOutput[] => {
    const message = toObject(parseObject(body));
    const stream = streams.get(url);
    const own = seen.get(url);
    if (own !== undefined && own.length < MAX_SEEN) own.push(toSeen(message, stream?.headers ?? headers));
    const answer = answerTo(message);
    if (answer === undefined) return whole(id, 202);
    if (stream === undefined) return whole(id, 200, answer);
    return [...whole(id, 202), { kind: 'text', id: stream.id, text: `event: message\ndata: ${answer}\n\n` }];
  };
  return (input: HttpInput): HttpOutput[] => {
    if (input.kind !== 'request') return [];
    if (!seen.has(input.url)) return whole(input.id, 404);
    if (input.method === 'POST') return post(input);
    return input.method === 'GET' && input.url.startsWith('/sse/') ? openStream(input) : whole(input.id, 405);
  };
};

const toSeen = ({ method }: Readonly<Record<string, unknown>>, headers: Request['headers']): SeenMessage => {
  const { 'x-args': args, 'x-variable': variable, 'x-given': header } = headers;
  return {
    method: textOf(method).length > MAX_CHARS ? '' : textOf(method),
    ...(typeof args === 'string' && { args: parseJson(withoutEscapes(args)) }),
    ...(typeof variable === 'string' && { variable: withoutEscapes(variable) }),
    ...(typeof header === 'string' && { header }),
  };
};

/** A server without tools. Undefined if no response is due. Source: 2025-11-25 schema, InitializeResult, ListToolsResult. */
const answerTo = ({ id, method, params }: Readonly<Record<string, unknown>>): string | undefined => {
  if (id === undefined || typeof method !== 'string') return undefined;
  const { protocolVersion } = toObject(params);
  const results: Readonly<Record<string, object>> = {
    initialize: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'conform', version: '1' } },
    'tools/list': { tools: [] },
    ping: {},
  };
  const result = ownOf(results, method);
  const error = { code: METHOD_NOT_FOUND, message: 'Method not found' };
  return toJson({ jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) });
};
