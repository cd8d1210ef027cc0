/** Owns the whole MCP server as one operator, from lines to lines. */
import {
  connect,
  endWith,
  filter,
  map,
  merge,
  type Observable,
  type OperatorFunction,
  scan,
  share,
  takeWhile,
} from 'rxjs';
import type { Log, LogRecord } from '../../log';
import {
  type Engine,
  encodeMessage,
  type Fault,
  type Message,
  type Notification,
  type Op,
  type Outgoing,
  type Response,
} from '../../protocol';
import { decodeMessages, flatten, ofKind } from '../../streams';
import { askClient } from './askClient';
import { type Attending, attend, type Input, nobody } from './attend';
import { gatherBatches, membersOf } from './batches';
import { beats } from './beats';
import { type Incoming, withClient } from './client';
import type { CallCommand, Command } from './command';
import { verdictOf } from './elicitation';
import type { Face } from './faces';
import { logCalls } from './logCalls';
import { keyOf } from './method';
import { methods } from './methods';
import { sealer } from './requestState';

/**
 * `engine` runs the conversations. `record$` is the daemon's own log, for clients that ask for it.
 * `events` switches `codex/event`; `key` signs request states; `now` is in milliseconds since 1970.
 */
export type McpDeps = {
  engine: Engine;
  face: Face;
  events: boolean;
  log: Log;
  record$: Observable<LogRecord>;
  newCallId: () => string;
  newQuestionId: () => number;
  askTimeoutMs: number;
  key: () => Buffer;
  now: () => number;
  instructions: string;
};

/**
 * An MCP server: every revision, on one stream of lines.
 * Emits lines. Every request is answered exactly once, or taken back by its client. When the source completes,
 * what is still open is answered and all turns are stopped. Never errors because of what a client sends.
 *   in  i--t--------y-----|    (i initialize, t tools/call, y the person's yes)
 *   out I---e--e-Q----e-eT|    (e codex/event, Q elicitation/create, T the result)
 */
export const mcpServer =
  (deps: McpDeps): OperatorFunction<string, string> =>
  (line$) =>
    line$.pipe(decodeMessages(), converse(deps), gatherBatches(), map(encodeMessage));

const converse =
  (deps: McpDeps): OperatorFunction<Message, Outgoing> =>
  (message$) =>
    message$.pipe(
      withClient(),
      connect((incoming$) => commands(deps, incoming$)),
      endWith({ kind: 'end' } as const),
      connect((command$) => merge(command$.pipe(ofKind('response')), callsOf(deps, command$))),
    );

/** Requests, responses and notifications part here; each comes to a command, or to nothing. */
const commands = (deps: McpDeps, incoming$: Observable<Incoming>): Observable<Command> => {
  const route = methods({ ...deps, sealer: sealer(deps) });
  const parted = (single$: Observable<Incoming>): Observable<Command> => {
    const [request$, response$, notice$, fault$] = [
      single$.pipe(holding('request')),
      single$.pipe(holding('response')),
      single$.pipe(holding('notification')),
      single$.pipe(holding('fault')),
    ] as const;
    return merge(
      request$.pipe(map(({ message, client }) => route(message, client))),
      response$.pipe(
        map(({ message }) => toAnswered(message)),
        flatten(),
      ),
      notice$.pipe(
        map(({ message }) => toCancel(message)),
        flatten(),
      ),
      fault$.pipe(map(({ message }) => toRefusal(deps.log, message))),
    );
  };
  const member$ = incoming$.pipe(holding('batch'), map(membersOf), flatten());
  return merge(parted(incoming$), member$.pipe(connect(parted)));
};

type Holding<K> = { message: Extract<Message, { kind: K }>; client: Incoming['client'] };

const holding = <K extends Message['kind']>(kind: K): OperatorFunction<Incoming, Holding<K>> =>
  filter((incoming): incoming is Incoming & Holding<K> => incoming.message.kind === kind);

const toAnswered = (response: Response): Command[] =>
  typeof response.id === 'number' ? [{ kind: 'answered', question: response.id, verdict: verdictOf(response) }] : [];

const toCancel = ({ method, params }: Notification): Command[] =>
  method === 'notifications/cancelled' ? [{ kind: 'cancel', requestId: params.requestId }] : [];

const toRefusal = (log: Log, { id, batch, code, message }: Fault): Command => {
  log('warning', 'a line was refused', { reason: message });
  return { kind: 'response', id, batch, error: { code, message } };
};

const callsOf = (deps: McpDeps, command$: Observable<Command>): Observable<Outgoing> =>
  command$.pipe(
    filter((command) => command.kind !== 'response'),
    connect((share$) => serveCalls(deps, share$)),
  );

const serveCalls = (deps: McpDeps, command$: Observable<CallCommand>): Observable<Outgoing> => {
  const event$ = deps.engine(askClient(deps, command$))(command$.pipe(toOps())).pipe(logCalls(deps.log), share());
  const expiresAt = () => deps.now() + deps.askTimeoutMs;
  return merge(
    command$,
    event$.pipe(map((event) => ({ kind: 'event' as const, event }))),
    deps.record$.pipe(map((record) => ({ kind: 'record' as const, record }))),
    beats(command$, event$),
  ).pipe(
    takeWhile(({ kind }) => kind !== 'end', true),
    scan<Input, Attending>(attend({ ...deps, sealer: sealer(deps), expiresAt }), nobody()),
    map(({ out }) => out),
    flatten(),
  );
};

const REMEMBERED_REQUESTS = 10_000;

/** Calls begin turns; a cancel interrupts the turn of the call that its request belongs to. */
const toOps = (): OperatorFunction<CallCommand, Op> => (command$) =>
  command$.pipe(
    scan(
      ({ calls }, command) => {
        if (command.kind === 'begin' || command.kind === 'resume') remember(calls, command.call);
        if (command.kind === 'begin') return { calls, ops: [command.op] };
        const callId = command.kind === 'cancel' && calls.get(keyOf(command.requestId) ?? '');
        return { calls, ops: callId ? [{ kind: 'interrupt' as const, callId }] : [] };
      },
      { calls: new Map<string, string>(), ops: [] as Op[] },
    ),
    map(({ ops }) => ops),
    flatten(),
  );

const remember = (calls: Map<string, string>, { id, callId }: { id: unknown; callId: string }): void => {
  calls.set(keyOf(id) as string, callId);
  const [oldest] = calls.keys();
  if (calls.size > REMEMBERED_REQUESTS && oldest !== undefined) calls.delete(oldest);
};
