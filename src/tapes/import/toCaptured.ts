/** Reads logs and cassettes of other programs as lines of a capture: a time, a direction and a message each. */
import { isObject, type JsonObject, parseObject, toObject, wordOf } from '../../protocol/jsonrpc/json';
import type { SourceLine } from './fromRollout';

/** A line as captures have it; `raw` is a message, or the text of a line of the server's standard error. */
type Captured = { ts?: unknown; direction: 'c2s' | 's2c' | 'stderr'; raw: unknown };

/** Turns a line of a log into a line of a capture; undefined for a line of another kind. */
type Reader = { line: RegExp; read: (groups: Record<string, string>) => Captured | undefined };

/**
 * The lines of logs that have a message each. Source: logs of Claude Desktop (`mcp-server-NAME.log`), the output of an MCP server in VS Code, the
 * inspector of LSP (with `isLSPMessage`), each as public repositories have them.
 */
const READERS: readonly Reader[] = [
  {
    line: /^(?<ts>\S+Z) (?:\[[^\]]*\] )*Message from (?<from>client|server): (?<text>\{.*)$/,
    read: ({ ts, from, text = '' }) => messageIn(ts, from === 'client', text),
  },
  {
    line: /^(?<ts>\S+ [\d:.]+) \[\w+\] \[(?<from>editor|server) -> (?:editor|server)\] (?<text>\{.*)$/,
    read: ({ ts, from, text = '' }) => messageIn(utc(ts), from === 'editor', text),
  },
  {
    line: /^(?<ts>\S+ [\d:.]+) \[\w+\] \[server stderr\] (?<text>.*)$/,
    read: ({ ts, text }) => ({ ts: utc(ts), direction: 'stderr', raw: text }),
  },
  {
    line: /^(?:\[LSP[^\]]*\] )?(?<text>\{.*)$/,
    read: ({ text = '' }) => {
      const { isLSPMessage: is, type, message, timestamp } = parseObject(text) ?? {};
      if (is !== true || !isObject(message)) return undefined;
      return { ts: timestamp, direction: wordOf(type).startsWith('send') ? 'c2s' : 's2c', raw: message };
    },
  },
  {
    line: /^(?<head>[^{]{1,200})(?<text>\{.*)$/,
    read: ({ head = '', text = '' }) => {
      const isOfServer = OF_SERVER.test(head);
      if (!isOfServer && !OF_CLIENT.test(head)) return undefined;
      const captured = messageIn(TIME.exec(head)?.[0], !isOfServer, text);
      return captured !== undefined && isMessage(toObject(captured.raw)) ? captured : undefined;
    },
  },
];

/** How logs of programs without a form of their own, such as agents of ACP, say who sent a message. */
const OF_SERVER =
  /(?:server|agent) ?(?:-+>|\u2192|to) ?(?:client|editor)|<-|<<|\u2190|\b(?:recv|receiv(?:ed|ing)|incoming)\b/i;
const OF_CLIENT = /->|>>|\u2192|\b(?:sen[dt]|sending|outgoing|client ?to ?(?:server|agent))\b/i;
const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/;

const utc = (time: string | undefined): string => `${time?.replace(' ', 'T')}Z`;

const messageIn = (ts: unknown, isClient: boolean, text: string): Captured | undefined => {
  const end = text.lastIndexOf(' { metadata: ');
  const raw = parseObject(text) ?? parseObject(end < 0 ? '' : text.slice(0, end));
  return raw && { ts, direction: isClient ? 'c2s' : 's2c', raw };
};

const readLine = (text: string): Captured | undefined => {
  for (const { line, read } of READERS) {
    const groups = line.exec(text)?.groups;
    const captured = groups === undefined ? undefined : read(groups as Record<string, string>);
    if (captured !== undefined) return captured;
  }
  return undefined;
};

/** Makes the lines of an importer from those of a file. A line may complete earlier ones. */
export type LineReader = {
  /** The lines that this one completes. @param lineNumber from 1 */
  read: (text: string, lineNumber: number) => readonly SourceLine[];
  /** The lines that the end of the file completes. */
  end: () => readonly SourceLine[];
};

/** The lines of a log that have a message. All other lines of a log are the program's own. */
export const logLines = (): LineReader => ({
  read: (text, lineNumber) => {
    const value = readLine(text);
    return value === undefined ? [] : [{ lineNumber, value }];
  },
  end: () => [],
});

/** Source: the trace of vscode-languageclient, `"trace.server": "verbose"`. */
const TRACE =
  /^(?:\[Trace - (?<time>[^\]]*)\] )?(?<verb>Sending|Received) (?<what>request|response|notification) '(?<call>[^']*)'/;
const BODY = /^(?:Params|Result|Error(?: data)?): ?/;

/** The messages of a trace: each has a line with its method, and lines with its content. */
export const traceLines = (): LineReader => {
  let message: { lineNumber: number; groups: Record<string, string>; body: string[] } | undefined;
  const complete = (): SourceLine[] => {
    if (message === undefined) return [];
    const { lineNumber, groups, body } = message;
    const begin = body.findIndex((line) => BODY.test(line));
    const member = begin < 0 ? '' : (/^\w+/.exec(body[begin] ?? '')?.[0].toLowerCase() ?? '');
    const content =
      begin < 0 ? undefined : jsonOf([body[begin]?.replace(BODY, ''), ...body.slice(begin + 1)].join('\n'));
    return [{ lineNumber, value: { direction: directionIn(groups), raw: traced(groups, member, content) } }];
  };
  return {
    read: (text, lineNumber) => {
      const groups = TRACE.exec(text)?.groups;
      if (groups === undefined) {
        message?.body.push(text);
        return [];
      }
      const before = complete();
      message = { lineNumber, groups: groups as Record<string, string>, body: [] };
      return before;
    },
    end: complete,
  };
};

const directionIn = ({ verb }: Record<string, string>): string => (verb === 'Sending' ? 'c2s' : 's2c');

const traced = ({ what, call = '' }: Record<string, string>, member: string, content: unknown): JsonObject => {
  const [method, id] = call.replace(/\)$/, '').split(' - (');
  const head = { jsonrpc: '2.0', ...(id !== undefined && { id: /^\d+$/.test(id) ? Number(id) : id }) };
  if (what === 'response')
    return member === 'error' ? { ...head, error: content } : { ...head, result: content ?? null };
  return { ...head, method, ...(content !== undefined && { params: content }) };
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Methods by which a server, or an agent, asks or notifies its client; all others are the client's. Source: MCP 2025-11-25 and ACP 1. */
const OF_SERVER_METHOD =
  /^(?:session\/(?:update|request_permission)$|(?:fs|terminal|elicitation|sampling)\/|roots\/list$|_|notifications\/(?!initialized|cancelled|roots))/;

/** Finds who sent a message: its method shows it, and responses go to the latest open request. Source: `sessions/ID.stream.ndjson` of acpx 0.1. */
export const findSenders = (): ((line: SourceLine) => SourceLine) => {
  const open: { id: unknown; isOfServer: boolean }[] = [];
  const isOfServer = ({ id, method }: JsonObject): boolean => {
    if (typeof method !== 'string') {
      const at = open.findLastIndex((request) => request.id === id);
      return at < 0 || open.splice(at, 1)[0]?.isOfServer === false;
    }
    const isOwn = OF_SERVER_METHOD.test(method);
    if (id !== undefined) open.push({ id, isOfServer: isOwn });
    return isOwn;
  };
  return ({ lineNumber, value }) => ({
    lineNumber,
    value: { direction: isOfServer(value) ? 's2c' : 'c2s', raw: value },
  });
};

/** A message as the log of ACP in Zed copies it: the method also of a response, and its result or error as `params`. */
const ofEditor = ({ _direction, _type, id, method, params }: JsonObject): Captured[] => {
  if (typeof _direction !== 'string' || typeof _type !== 'string') return [];
  const { code, message } = toObject(params);
  const content = typeof code === 'number' && typeof message === 'string' ? { error: params } : { result: params };
  const body = _type === 'response' ? content : { method, params };
  const raw = { jsonrpc: '2.0', ...(_type !== 'notification' && { id }), ...body };
  return [{ direction: _direction === 'incoming' ? 's2c' : 'c2s', raw }];
};

/**
 * The messages of a document that is one JSON value: a HAR file, a cassette with a list of interactions, or the log of ACP in Zed; empty for any other.
 * Source: HAR 1.2; cassettes of agent-vcr and mcp-recorder; zed/crates/acp_tools.
 */
export const fromDocument = (value: unknown): SourceLine[] =>
  (Array.isArray(value) ? value.map(toObject).flatMap(ofEditor) : capturedIn(toObject(value))).map((captured, at) => ({
    lineNumber: at + 1,
    value: captured,
  }));

const capturedIn = (document: JsonObject): JsonObject[] => {
  const { entries } = toObject(document.log);
  const session = toObject(document.session);
  const interactions = document.interactions ?? session.interactions;
  if (Array.isArray(entries)) return entries.flatMap((entry) => ofExchange(toObject(entry)));
  return Array.isArray(interactions)
    ? [ofInitialize(session), ...interactions.map(toObject)].flatMap(ofInteraction)
    : [];
};

const ofInitialize = ({ initialize_request: request, initialize_response: response }: JsonObject): JsonObject => ({
  request,
  response,
});

/** What a client sent comes first, then what the server sent meanwhile, then its response. */
const ofInteraction = ({ request, response, notifications, timestamp, direction, latency_ms: wait }: JsonObject) => {
  const isOfServer = /^server/.test(wordOf(direction));
  const startMs = Date.parse(wordOf(timestamp));
  const ts = Number.isNaN(startMs) ? undefined : startMs;
  const endTs = ts === undefined || typeof wait !== 'number' ? ts : ts + wait;
  const [asks, answers] = isOfServer ? (['s2c', 'c2s'] as const) : (['c2s', 's2c'] as const);
  return [
    ...messagesOf(request).map((raw) => ({ ts, direction: asks, raw })),
    ...messagesOf(notifications).map((raw) => ({ ts: endTs, direction: 's2c' as const, raw })),
    ...messagesOf(response).map((raw) => ({ ts: endTs, direction: answers, raw })),
  ];
};

const ofExchange = ({ startedDateTime, time, request, response }: JsonObject): Captured[] =>
  ofInteraction({
    timestamp: startedDateTime,
    latency_ms: time,
    request: toObject(toObject(request).postData).text,
    response: decoded(toObject(toObject(response).content)),
  });

const decoded = ({ text, encoding }: JsonObject): unknown =>
  encoding === 'base64' && typeof text === 'string' ? Buffer.from(text, 'base64').toString() : text;

/** A message, a list of them, or a text with either, or with events that have one each. */
const messagesOf = (value: unknown): JsonObject[] => {
  if (Array.isArray(value)) return value.flatMap(messagesOf);
  if (isObject(value)) return isMessage(value) ? [value] : [];
  if (typeof value !== 'string') return [];
  const whole = jsonOf(value);
  if (typeof whole === 'object') return messagesOf(whole);
  return value.split(/\r?\n\r?\n|\r\r/).flatMap((event) => {
    const data = event
      .split(/\r\n|\r|\n/)
      .flatMap((line) => (/^data: ?/.test(line) ? [line.replace(/^data: ?/, '')] : []));
    return data.length === 0 ? [] : messagesOf(jsonOf(data.join('\n')));
  });
};

/** Whether an object is a message of JSON-RPC; some programs leave out `jsonrpc`. */
export const isMessage = (value: JsonObject): boolean =>
  typeof value.method === 'string' || ('id' in value && ('result' in value || 'error' in value));
