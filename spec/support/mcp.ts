/** Doubles for the MCP server: an engine that does what its prompt says, lines as a client writes them. */
import { concat, filter, merge, mergeMap, NEVER, type Observable, of, takeUntil, timer } from 'rxjs';
import type { Ask, Engine } from '../../src/protocol/codex/engine';
import type { EventMsg } from '../../src/protocol/codex/eventMsg';
import type { Event } from '../../src/protocol/codex/events';
import { type Op, type TurnOp, textOf } from '../../src/protocol/codex/operations';
import { silentLog } from '../../src/protocol/log';
import { faceOf } from '../../src/server/faces/faceOf';
import type { McpDeps } from '../../src/server/mcp/mcpDeps';
import { ofKind } from '../../src/streams/ofKind';

export const THREAD = '00000000-0000-4000-8000-000000000001';

/** An event of the one thread that the doubles know. */
export const turnEventOf = ({ callId, eventId }: TurnOp, msg: EventMsg, question?: number): Event => ({
  kind: 'event',
  callId,
  threadId: THREAD,
  turnId: 'turn',
  id: eventId,
  msg,
  ...(question !== undefined && { question }),
});

export const started: EventMsg = { type: 'task_started', model_context_window: null };
export const aborted: EventMsg = { type: 'turn_aborted', reason: 'interrupted' };
export const complete = (text: string | null): EventMsg => ({ type: 'task_complete', last_agent_message: text });
export const delta = (text: string): EventMsg => ({ type: 'agent_message_delta', delta: text, item_id: 'm' });
export const request: EventMsg = {
  type: 'exec_approval_request',
  call_id: 'c1',
  command: ['touch', 'a b'],
  cwd: '/work',
};

type Turn = (op: TurnOp, ask: Ask) => Observable<Event>;

/** What a prompt makes the double do. */
const turns: Record<string, Turn> = {
  'say hi': (op) => of(turnEventOf(op, started), turnEventOf(op, complete('hi'))),
  fail: (op) => of(turnEventOf(op, { type: 'error', message: 'model down' }), turnEventOf(op, complete(null))),
  refuse: ({ callId }) => of({ kind: 'rejected', callId, message: 'no such thread' }),
  'go on': (op) => concat(of(turnEventOf(op, started)), NEVER),
  'take 3': (op) =>
    concat(of(turnEventOf(op, started)), timer(3).pipe(mergeMap(() => of(turnEventOf(op, complete('done')))))),
  ask: (op, ask) =>
    ask(
      op,
      (question) => turnEventOf(op, request, question),
      ({ decision, reason, question }) =>
        decision.startsWith('approved')
          ? of(turnEventOf(op, complete(decision)))
          : of(
              { kind: 'declined', callId: op.callId, what: '`touch`', reason, question } as Event,
              turnEventOf(op, decision === 'abort' ? aborted : complete(decision)),
            ),
    ),
};

/** An engine of these turns; an interrupt aborts the turn of its call. */
export const engine: Engine = (ask) => (op$: Observable<Op>) =>
  op$.pipe(
    ofKind('turn'),
    mergeMap((op) => {
      const stop$ = op$.pipe(
        ofKind('interrupt'),
        filter(({ callId }) => callId === op.callId),
      );
      const turn = turns[textOf(op.input)] ?? (() => of(turnEventOf(op, complete(textOf(op.input)))));
      return merge(turn(op, ask).pipe(takeUntil(stop$)), stop$.pipe(mergeMap(() => of(turnEventOf(op, aborted)))));
    }),
  );

const counter = (prefix: string) => {
  let next = 0;
  return () => `${prefix}${next++}`;
};

/** What a server needs, with nothing left to chance. */
export const mcpDeps = (deps: Partial<McpDeps> = {}): McpDeps => {
  const questions = counter('');
  return {
    engine,
    face: faceOf('union', '0.1.0'),
    events: 'none',
    threadIdInText: 'auto',
    log: silentLog,
    record$: NEVER,
    cleanRecord: (record) => record,
    stop$: NEVER,
    codexHost: () => {
      throw new Error('no machine behind this double');
    },
    newCallId: counter('call-'),
    newQuestionId: () => Number(questions()),
    askTimeoutMs: 600_000,
    key: () => Buffer.from('key'),
    now: () => 0,
    clockMs: () => 0,
    workMs: () => 0,
    after: timer,
    instructions: 'be kind',
    ...deps,
  };
};

const line = (message: object): string => JSON.stringify({ jsonrpc: '2.0', ...message });

export const initialize = (id: unknown, protocolVersion: string, capabilities: object = { elicitation: {} }): string =>
  line({
    id,
    method: 'initialize',
    params: { protocolVersion, capabilities, clientInfo: { name: 'c', version: '1' } },
  });

export const call = (id: unknown, prompt: string, extra: object = {}): string =>
  line({ id, method: 'tools/call', params: { name: 'codex', arguments: { prompt }, ...extra } });

export const asks = (id: unknown, method: string, params?: object): string => line({ id, method, params });
export const notice = (method: string, params: object): string => line({ method, params });
export const answers = (id: unknown, result: unknown): string => line({ id, result });
export const fails = (id: unknown, code: number, message: string): string => line({ id, error: { code, message } });

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
};

/** The same request as a client of 2026-07-28 writes it. */
export const modern = (text: string, meta: object = META): string => {
  const message = JSON.parse(text);
  return JSON.stringify({ ...message, params: { ...message.params, _meta: { ...meta, ...message.params?._meta } } });
};

/** A message of the server as it stands on the line. */
export const says = (message: object): unknown => ({ jsonrpc: '2.0', ...message });

/** What a call with this text did, in its result: nothing but what the text names as not done. */
export const doneBy = (text: string) => ({
  durationMs: 0,
  changes: [],
  commands: 0,
  notDone: [...text.matchAll(/^(?:Not done: )?(`.*`): (.*)$/gm)].map(([, what, reason]) =>
    reason === 'the client declined it' ? { what } : { what, reason },
  ),
});

/** The result of a call that ended well. */
export const result = (id: unknown, content: string): unknown =>
  says({
    id,
    result: {
      content: [{ type: 'text', text: content }],
      structuredContent: { threadId: THREAD, content, ...doneBy(content) },
    },
  });

/** The result of a call that failed; without a thread when none was begun. */
export const failed = (id: unknown, text: string, threadId?: string): unknown =>
  says({
    id,
    result: {
      content: [{ type: 'text', text: threadId === undefined ? text : `${text}\n\nthreadId: ${threadId}` }],
      ...(threadId !== undefined && { structuredContent: { threadId, content: text, ...doneBy(text) } }),
      isError: true,
    },
  });
