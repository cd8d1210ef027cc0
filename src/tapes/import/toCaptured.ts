/** Reads logs of other programs as lines of a capture: a time, a direction and a message each. */
import { isObject, type JsonObject, parseObject, toObject, wordOf } from '../../protocol/jsonrpc/json';
import type { Report, SourceLine } from './importer';

/** A line as captures have it; `raw` is a message, or the text of a line of the server's standard error. */
export type Captured = { ts?: unknown; direction: 'c2s' | 's2c' | 'stderr'; raw: unknown; server?: string | undefined };

/** Turns a line of a log into a line of a capture; undefined for a line of another kind. */
type Reader = { line: RegExp; read: (groups: Record<string, string>) => Captured | undefined };

/**
 * The lines of logs that have a message each. Source: logs of Claude Desktop (`mcp-server-NAME.log`), the output of an MCP server in VS Code, the
 * inspector of LSP (with `isLSPMessage`), each as public repositories have them.
 */
const READERS: readonly Reader[] = [
  {
    line: /^(?<ts>\S+Z) (?:\[(?:info|warn|error|debug)\] )?(?:\[(?<server>[^\]]*)\] )??(?:\[(?:info|warn|error|debug)\] )?Message from (?<from>client|server): (?<text>\{.*)$/,
    read: ({ ts, server, from, text = '' }) => messageIn({ ts: timeIn(ts), server }, from === 'client', text),
  },
  {
    line: /^(?<ts>\S+ [\d:.]+) \[\w+\] \[(?<from>editor -> server|server -> editor|Client Says|Server Says)\] (?<text>\{.*)$/,
    read: ({ ts, from = '', text = '' }) => messageIn({ ts: timeIn(ts) }, /^(editor|Client)/.test(from), text),
  },
  {
    line: /^(?<ts>\S+ [\d:.]+) \[\w+\] \[server stderr\] (?<text>.*)$/,
    read: ({ ts, text }) => ({ ts: timeIn(ts), direction: 'stderr', raw: text }),
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
      const captured = messageIn({ ts: timeIn(head) }, !isOfServer, text);
      return captured !== undefined && isMessage(toObject(captured.raw)) ? captured : undefined;
    },
  },
];

/** How logs of programs without a form of their own, such as agents of ACP and SDKs, say who sent a message. */
const OF_SERVER =
  /(?:server|agent) ?(?:-+>|\u2192|to) ?(?:client|editor)|<[-=]|<<|(?:^|[\s:\]])< *$|\u2190|\b(?:recv|receiv(?:ed|ing)|incoming)\b|\bread: *$/i;
const OF_CLIENT =
  /[-=]>|>>|(?:^|[\s:\]])> *$|\u2192|\b(?:sen[dt]|sending|outgoing|client ?to ?(?:server|agent))\b|\bwrite: *$/i;

const DATE = /(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:[.,](\d+))?(Z|[+-]\d\d:?\d\d)?/;
const CLOCK = /\b(\d{1,2}):(\d\d):(\d\d(?:[.,]\d+)?)(?: ?([AP])M\b)?/i;

/** The time at the head of a line, as ISO text; a time of day without its date in s; undefined if there is none. A time without a zone counts as UTC. */
const timeIn = (head: string | undefined = ''): string | number | undefined => {
  const [, day, time, part = '0', zone = 'Z'] = DATE.exec(head) ?? [];
  if (day !== undefined) return `${day}T${time}.${part.slice(0, 3)}${zone.replace(/(\d\d)(\d\d)$/, '$1:$2')}`;
  const [, hours, minutes, seconds = '', half] = CLOCK.exec(head) ?? [];
  if (hours === undefined) return undefined;
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (/p/i.test(half) ? 12 : 0);
  return hour * 3600 + Number(minutes) * 60 + Number(seconds.replace(',', '.'));
};

const messageIn = (
  { ts, server }: Pick<Captured, 'ts' | 'server'>,
  isClient: boolean,
  text: string,
): Captured | undefined => {
  const end = text.lastIndexOf(' { metadata: ');
  const raw = parseObject(text) ?? parseObject(end < 0 ? '' : text.slice(0, end));
  return raw && { ts, direction: isClient ? 'c2s' : 's2c', raw, server };
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

/** The lines of a log that have a message. All other lines of a log are the program's own. A log of several servers is read as that of its first. */
export const logLines = (report: Report): LineReader => {
  let first: string | undefined;
  return {
    read: (text, lineNumber) => {
      const value = readLine(text);
      if (value === undefined) return [];
      const { server } = value;
      first ??= server;
      if (server === undefined || server === first) return [{ lineNumber, value }];
      report({ lineNumber, reason: `is of the server ${server}, not of ${first}; import a copy with its lines alone` });
      return [];
    },
    end: () => [],
  };
};

/** Source: the trace of vscode-languageclient, `"trace.server": "verbose"`. */
const TRACE =
  /^(?:(?<head>\[Trace - [^\]]*\]|\d{4}-\S+ \S+ \[trace\]) )?(?<verb>Sending|Received) (?<what>request|response|notification) '(?<call>[^']*)'/;
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
    const raw = traced(groups, member, content);
    return [{ lineNumber, value: { ts: timeIn(groups.head), direction: directionIn(groups), raw } }];
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

/** Undefined if a text is not JSON. */
export const jsonOf = (text: string): unknown => {
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

/** Whether an object is a message of JSON-RPC; some programs leave out `jsonrpc`. */
export const isMessage = (value: JsonObject): boolean =>
  typeof value.method === 'string' || ('id' in value && ('result' in value || 'error' in value));
