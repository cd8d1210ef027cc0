/** Turns the traffic of two peers into marbles: a lane, a letter and a short text for each message; a run of deltas is one marble. */
import { concatMap, endWith, type MonoTypeOperatorFunction, type OperatorFunction, scan, type Timestamp } from 'rxjs';
import type { ServerEvent } from '../../io/serverProcess/serverProcess';
import { decodeMessage } from '../../protocol/jsonrpc/decodeMessage';
import { isObject, type JsonObject, wordOf } from '../../protocol/jsonrpc/json';
import type { Message, RequestId } from '../../protocol/jsonrpc/messages';
import type { Traffic } from '../../streams/connectPeers';
import { toVisible } from '../../streams/text/visible';
import type { Lane } from '../../tapes/diagram/toDiagram';
import { toToolResult } from '../client/messages';

/** One marble. */
export type Mark = {
  /** Counts from the first marble. */
  atMs: number;
  /** When the last of `count` such messages came. */
  untilMs: number;
  /** True for messages of the client. */
  sent: boolean;
  lane: Lane;
  symbol: string;
  name: string;
  text: string;
  count: number;
  /** Set for a piece of a longer text. */
  delta?: string;
  /** Set for a text that is shown in full. */
  whole?: boolean;
  message?: Message;
};

/** The part of a mark that its message decides. */
export type Look = Pick<Mark, 'lane' | 'symbol' | 'name' | 'text'> & Pick<Mark, 'delta' | 'whole'>;

/** Requests of the client that wait for an answer. */
type Open = ReadonlyMap<RequestId | null, Look>;

const look = (lane: Lane, symbol: string, name: string): Look => ({ lane, symbol, name, text: '' });

/** The look of what the client sends. */
export const lookOfSent = (message: Message): Look => {
  switch (message.kind) {
    case 'request':
      return toRequestLook(message.method, message.params);
    case 'notification':
      return look('request', 'n', message.method);
    case 'response':
      return isYes(message)
        ? { ...look('question', 'y', 'yes'), text: 'the person lets it run' }
        : { ...look('question', 'x', 'no'), text: 'the person does not let it run' };
    default:
      return look('request', '?', message.kind);
  }
};

const isYes = (message: Extract<Message, { kind: 'response' }>): boolean =>
  'result' in message && isObject(message.result) && message.result.action === 'accept';

const toRequestLook = (method: string, params: JsonObject): Look => {
  const args = isObject(params.arguments) ? params.arguments : {};
  if (method === 'initialize') return { ...look('request', 'i', method), text: clientOf(params) };
  if (method === 'tools/list') return look('request', 'l', method);
  if (method !== 'tools/call') return look('request', initialOf(method), method);
  const symbol = params.name === 'codex' ? 'c' : 'r';
  return { ...look('request', symbol, `${method} ${wordOf(params.name)}`), text: toArgumentText(args) };
};

const clientOf = ({ capabilities, clientInfo }: JsonObject): string => {
  if (isObject(capabilities) && isObject(capabilities.elicitation)) return 'a client that can ask a person';
  return isObject(clientInfo) ? plain(`${wordOf(clientInfo.name)} ${wordOf(clientInfo.version)}`) : '';
};

/** The prompt, or the arguments as JSON if a tool takes no prompt. */
const toArgumentText = (args: JsonObject): string => {
  if (typeof args.prompt === 'string') return quoted(args.prompt);
  return Object.keys(args).length === 0 ? '' : plain(JSON.stringify(args));
};

/** The look of what the server sends. `open` has the requests that it may answer. */
export const lookOfReceived = (message: Message, open: Open): Look => {
  switch (message.kind) {
    case 'request':
      return { ...look('question', 'Q', message.method), ...questionOf(message.params.message) };
    case 'notification':
      return toNoticeLook(message.method, message.params);
    case 'response': {
      const request = open.get(message.id);
      const symbol = (request?.symbol ?? '?').toUpperCase();
      return { ...look('answer', symbol, request?.name ?? 'answer'), text: toAnswerText(message) };
    }
    default:
      return { ...look('answer', '!', 'not understood'), text: 'message' in message ? plain(message.message) : '' };
  }
};

/** The first letter of the last part of a method. */
const initialOf = (method: string): string =>
  /[a-z]/i.exec(method.slice(method.lastIndexOf('/') + 1))?.[0].toLowerCase() ?? 'r';

const toNoticeLook = (method: string, params: JsonObject): Look => {
  if (method === 'notifications/progress')
    return { ...look('progress', 'P', 'progress'), text: plain(wordOf(params.message)) };
  if (method !== 'codex/event' || !isObject(params.msg)) return look('event', 'N', method);
  return { lane: 'event', ...eventMarble(params.msg) };
};

/** The text of a question to a person; other requests of a server have none. */
const questionOf = (text: unknown): Partial<Look> =>
  typeof text === 'string' ? { text: plain(text), whole: true } : {};

const toAnswerText = (message: Extract<Message, { kind: 'response' }>): string => {
  if ('error' in message) return `error ${message.error.code}: ${plain(message.error.message)}`;
  const result = 'result' in message && isObject(message.result) ? message.result : {};
  if (isObject(result.serverInfo))
    return plain(
      `${wordOf(result.serverInfo.name)} ${wordOf(result.serverInfo.version)}, speaks ${wordOf(result.protocolVersion)}`,
    );
  if (Array.isArray(result.tools)) return plain(result.tools.map((tool) => isObject(tool) && tool.name).join(', '));
  const content = toToolResult(message)?.content;
  return content === undefined ? toContentText(result) : quoted(content);
};

/** The texts of the result of any tool, and the kinds of its other parts; any other result as JSON. */
const toContentText = (result: JsonObject): string => {
  const { content, isError } = result;
  if (!Array.isArray(content) || content.length === 0) return plain(JSON.stringify(result));
  const parts = content.map((part) => (isObject(part) ? (part.text ?? `[${wordOf(part.type)}]`) : '?'));
  return `${isError === true ? 'failed: ' : ''}${quoted(parts.join('\n'))}`;
};

/** `delta` is set if the event is a piece of a text. */
type EventMarble = { symbol: string; name: string; text: string; delta?: string };

type Draw = (msg: JsonObject) => { symbol: string; text?: string; delta?: string };

const command = (msg: JsonObject): string =>
  Array.isArray(msg.command) ? plain(msg.command.map(wordOf).join(' ')) : plain(wordOf(msg.command));

const decoded = (chunk: unknown): string => Buffer.from(wordOf(chunk), 'base64').toString('utf8');

const DRAWN: Record<string, Draw> = {
  session_configured: (msg) => ({ symbol: 'S', text: `${wordOf(msg.model)} of ${wordOf(msg.model_provider_id)}` }),
  task_started: () => ({ symbol: 'B' }),
  agent_message_delta: (msg) => ({ symbol: 'D', delta: wordOf(msg.delta) }),
  agent_message: (msg) => ({ symbol: 'M', text: quoted(msg.message) }),
  exec_approval_request: (msg) => ({ symbol: 'A', text: command(msg) }),
  exec_command_begin: (msg) => ({ symbol: 'X', text: command(msg) }),
  exec_command_output_delta: (msg) => ({ symbol: 'O', delta: decoded(msg.chunk) }),
  exec_command_end: (msg) => ({ symbol: 'E', text: `exit code ${wordOf(msg.exit_code)}` }),
  token_count: (msg) => ({ symbol: 'U', text: `${wordOf(msg.input_tokens)} in, ${wordOf(msg.output_tokens)} out` }),
  task_complete: () => ({ symbol: 'Z' }),
  turn_aborted: (msg) => ({ symbol: 'K', text: wordOf(msg.reason) }),
  error: (msg) => ({ symbol: 'F', text: plain(wordOf(msg.message)) }),
};

/** How an event is drawn; one without a marble of its own gets V. */
export const eventMarble = (msg: JsonObject): EventMarble => {
  const name = wordOf(msg.type);
  const drawn = Object.hasOwn(DRAWN, name) ? DRAWN[name]?.(msg) : undefined;
  return { text: '', ...(drawn ?? { symbol: 'V' }), name: plain(name) };
};

/** One line without control sequences: a line break shows as ⏎, other invisible characters as escapes. */
export const plain = (text: string): string => toVisible(text.trimEnd().replaceAll(/\r?\n/g, ' ⏎ '));

/** A text in quotes, in one line. */
export const quoted = (text: unknown): string => `"${plain(wordOf(text ?? ''))}"`;

/** What one of the peers sent, and when. `near` is the client. */
export type TimedTraffic = Timestamp<Traffic<string, ServerEvent>>;

type State = { startMs?: number; open: Open; marks: Mark[] };

/**
 * Each message becomes one mark; its time counts from the first. The end of the server is no mark, it ends the stream.
 * The names and texts of marks hold no terminal control sequences.
 *   in  a---b    (at 7 ms and at 11 ms)
 *   out A---B    (atMs 0 and 4)
 */
export const toMarks = (): OperatorFunction<TimedTraffic, Mark> => (traffic$) =>
  traffic$.pipe(
    scan(draw, { open: new Map(), marks: [] } as State),
    concatMap(({ marks }) => marks),
  );

const draw = ({ startMs, open }: State, { value, timestamp }: TimedTraffic): State => {
  const start = startMs ?? timestamp;
  const atMs = timestamp - start;
  const frame = { atMs, untilMs: atMs, sent: value.from === 'near', count: 1 };
  if (value.from === 'near') {
    const message = decodeMessage(value.item);
    const look = lookOfSent(message);
    const nowOpen = message.kind === 'request' ? new Map(open).set(message.id, look) : open;
    return { startMs: start, open: nowOpen, marks: [{ ...frame, ...visible(look), message }] };
  }
  if (value.item.kind === 'ended') return { startMs: start, open, marks: [] };
  if (value.item.kind === 'log') {
    const look = { lane: 'log', symbol: ' ', name: 'stderr', text: plain(value.item.line) } as const;
    return { startMs: start, open, marks: [{ ...frame, ...look }] };
  }
  const message = decodeMessage(value.item.line);
  return { startMs: start, open, marks: [{ ...frame, ...visible(lookOfReceived(message, open)), message }] };
};

const visible = (look: Look): Look => ({ ...look, name: plain(look.name), text: plain(look.text) });

/** `run` is the run of deltas that grows. */
type RunState = { run?: Mark; output: Mark[] };

/**
 * Deltas of one kind that follow each other become one mark with their whole text; all else passes at once.
 *   in  a-ddd-b---|    (d deltas)
 *   out a-----(Db)|    (D the run, emitted when it has ended)
 */
export const collapseDeltas = (): MonoTypeOperatorFunction<Mark> => (mark$) =>
  mark$.pipe(
    endWith(null),
    scan<Mark | null, RunState>(step, { output: [] }),
    concatMap(({ output }) => output),
  );

const step = ({ run }: RunState, mark: Mark | null): RunState => {
  if (run && mark?.delta !== undefined && mark.name === run.name) return { run: join(run, mark), output: [] };
  const ended = run ? [{ ...run, text: quoted(run.delta) }] : [];
  if (mark === null) return { output: ended };
  return mark.delta === undefined ? { output: [...ended, mark] } : { run: mark, output: ended };
};

const join = (run: Mark, mark: Mark): Mark => ({
  ...run,
  untilMs: mark.untilMs,
  count: run.count + mark.count,
  delta: `${run.delta}${mark.delta}`,
});
