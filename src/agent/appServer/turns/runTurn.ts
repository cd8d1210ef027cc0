/** A turn, from its start in the server to its last event. */
import {
  catchError,
  concatMap,
  connect,
  defer,
  EMPTY,
  filter,
  type MonoTypeOperatorFunction,
  map,
  merge,
  mergeMap,
  type Observable,
  type OperatorFunction,
  of,
  pipe,
  scan,
  startWith,
  takeWhile,
  tap,
  throwError,
  timer,
} from 'rxjs';
import type { Ask } from '../../../protocol/codex/engine';
import type { EventMsg } from '../../../protocol/codex/eventMsg';
import { type Event, endsTurn } from '../../../protocol/codex/events';
import type { ThreadOp } from '../../../protocol/codex/operations';
import type { ThreadSettings } from '../../../protocol/codex/settings';
import { type JsonObject, wordOf } from '../../../protocol/jsonrpc/json';
import type { Notification, Request } from '../../../protocol/jsonrpc/messages';
import { flatten } from '../../../streams/gather';
import { ofKind } from '../../../streams/ofKind';
import { inputFirst } from '../../../streams/time/limits';
import { askUntilWithdrawn } from '../../turns/approval';
import { askInTurn } from '../../turns/askInTurn';
import type { TurnPorts as QueuePorts } from '../../turns/queueTurns';
import type { TurnStop } from '../../turns/turnEvents';
import { ConnectionLost, type Link } from '../connection/link';
import { ResolvedParams, read, TurnResult } from '../shapes';
import { type OpenDeps, type OpenedThread, onRefusal, resumeThread, type Thread } from '../threads/openThread';
import { BEFORE_TURN, reduceTurn, type TurnContext, type TurnInput, type TurnOutput } from './reduceTurn';
import { modelUnreachable, selectTurn, type TurnBegun, type TurnMessage, turnEndOf } from './turnMessages';
import { interruptTurn, steerTurn, toItems } from './turnRequests';

export type TurnDeps = OpenDeps &
  HideDeps & {
    ask: Ask;
    /** How long the server may try to reach its model before the turn is stopped. */
    modelWaitMs: number;
  };

/** A call on a thread that is ready for it. */
export type OpenedTurn = { op: ThreadOp; opened: OpenedThread };

export type TurnPorts = QueuePorts & {
  /** Receives the thread, once the id of its turn is known. */
  keep: (thread: Thread) => void;
};

/**
 * Emits the events of the turn; the last is `task_complete` or `turn_aborted`. If the server is gone, or does not accept the turn, the turn
 * fails. Errors with ConnectionLost if the server is gone before the turn began.
 *   server  -s-m-z       stop$  -----x        (s turn/started, m item/completed, z turn/completed)
 *   out     -S-M-(C|)    out    -S-M----(A|)  (A when the server has ended the turn, or after 3 s)
 */
export const runTurn =
  (deps: TurnDeps) =>
  (turn: OpenedTurn, { stop$, input$, keep }: TurnPorts): Observable<Event> =>
    defer(() => {
      const { op, opened } = turn;
      const { thread } = opened;
      const link = thread.loadedBy;
      let hasBegun = false; // a turn that has not can be started in another server
      const begun$ = startTurn(deps, opened, op).pipe(map((turnId): TurnBegun => ({ kind: 'begun', turnId })));
      return merge(link.messagesOf(thread.id), begun$).pipe(
        selectTurn(thread.turnId),
        tap((message) => {
          if (message.kind !== 'begun') return;
          hasBegun = true;
          keep({ ...thread, turnId: message.turnId });
        }),
        toInputs(deps, turn, stop$),
        catchError((error: Error) =>
          error instanceof ConnectionLost && !hasBegun ? throwError(() => error) : of(failed(error)),
        ),
        toOutputs({ op, threadId: thread.id }),
        mergeMap(performed(link, thread.id)),
        takeWhile((event) => !endsTurn(event), true),
        hideRawReasoning(deps, thread.settings),
        connect((event$) => merge(event$, input$.pipe(steerTurn({ ...steered(turn), event$ })))),
      );
    });

const steered = ({ op: { callId }, opened: { thread } }: OpenedTurn) => {
  const { id: threadId, loadedBy: link, base } = thread;
  return { link, threadId, callId, cwd: wordOf(base.cwd ?? '') };
};

const failed = ({ message }: Error): TurnInput => ({ kind: 'ended', end: { kind: 'failed', message } });

/** The inputs of the turn's reducer: messages of its server, questions and their answers, the stop, and its deadlines. */
const toInputs = (
  deps: TurnDeps,
  { op, opened: { thread } }: OpenedTurn,
  stop$: Observable<TurnStop>,
): OperatorFunction<TurnMessage, TurnInput> => {
  const { loadedBy: link, id: threadId } = thread;
  const ask = askInTurn(deps.ask);
  return connect((message$) => {
    const begun$ = message$.pipe(ofKind('begun'));
    const turnId$ = begun$.pipe(
      map(({ turnId }) => turnId),
      startWith(thread.turnId),
    );
    return merge(
      begun$,
      message$.pipe(ofKind('notification'), mergeMap(withLateEnd)),
      message$.pipe(ofKind('foreign')),
      message$.pipe(
        ofKind('request'),
        mergeMap((request) => askQuestion({ ask, op, message$ }, request)),
      ),
      merge(stop$, message$.pipe(modelUnreachable(deps.modelWaitMs))).pipe(interruptTurn({ link, threadId, turnId$ })),
    );
  });
};

/** After a final error the server normally ends the turn itself, but not always. In ms. */
const CONFIRM_MS = 2_000;
/** A command may end a little after its turn. Source: codex app-server 0.142.0. */
const LATE_COMMAND_MS = 300;

/** A notification, and after a while the end that it announces, in case the server does not confirm it. */
const withLateEnd = (notification: Notification): Observable<TurnInput> => {
  const announced = turnEndOf(notification);
  if (announced === undefined) return of(notification);
  const { end, isConfirmed } = announced;
  const late$ = timer(isConfirmed ? LATE_COMMAND_MS : CONFIRM_MS, inputFirst).pipe(
    map((): TurnInput => ({ kind: 'ended', end })),
  );
  return merge(of(notification), late$);
};

const toOutputs = (context: TurnContext): OperatorFunction<TurnInput, TurnOutput> => {
  const step = reduceTurn(context);
  return pipe(
    scan(({ state }, input: TurnInput) => step(state, input), BEFORE_TURN),
    map(({ output }) => output),
    flatten(),
  );
};

/** The method that ends the commands of an interrupted turn, which outlive it. */
const END_COMMANDS = 'thread/backgroundTerminals/clean';

/** Sends what is meant for the server; emits events. */
const performed =
  (link: Link, threadId: string) =>
  (output: TurnOutput): Observable<Event> => {
    if (output.kind === 'respond') link.respond(output.id, output.result);
    else if (output.kind === 'endCommands') link.requestAndForget(END_COMMANDS, { threadId });
    else return of(output);
    return EMPTY;
  };

/**
 * Emits the id of the turn, '' if the server reports it only once the turn has started. A thread that the server has unloaded in the
 * meantime is resumed first. Errors with RpcError if the server does not accept the turn, with CannotBegin if it has lost the thread.
 */
export const startTurn = (
  deps: OpenDeps,
  { thread, turnParams, isLoaded }: OpenedThread,
  op: ThreadOp,
): Observable<string> => {
  const { id: threadId, loadedBy: link, base } = thread;
  const [method, own] =
    'input' in op ? ['turn/start', { input: toItems(op.input, wordOf(base.cwd ?? '')) }] : ['thread/compact/start', {}];
  const start = (params: JsonObject) =>
    link
      .request(method, { threadId, ...own, ...('input' in op ? params : {}) })
      .pipe(map((result) => read(TurnResult, result).turn.id));
  const again = () => resumeThread(deps, link, thread).pipe(concatMap((opened) => start(opened.turnParams)));
  return isLoaded ? start(turnParams) : start(turnParams).pipe(onRefusal(again));
};

const RAW: ReadonlySet<EventMsg['type']> = new Set([
  'agent_reasoning_raw_content',
  'agent_reasoning_raw_content_delta',
]);

type HideDeps = {
  /** True if `show_raw_agent_reasoning` is true for a thread with these settings; never throws. */
  showsRawReasoning: (settings: ThreadSettings) => boolean;
};

/**
 * Removes the raw reasoning from the events of a turn, unless its thread shows it. Completes and errors with its source.
 *   event$  a-r-b|    (r raw reasoning)
 *   out     a---b|
 * Source: codex app-server 0.142.0 to 0.169.0, which send it whatever `show_raw_agent_reasoning` says.
 */
export const hideRawReasoning =
  ({ showsRawReasoning }: HideDeps, settings: ThreadSettings = {}): MonoTypeOperatorFunction<Event> =>
  (event$) =>
    defer(() =>
      showsRawReasoning(settings)
        ? event$
        : event$.pipe(filter((event) => event.kind !== 'event' || !RAW.has(event.msg.type))),
    );

export type AskQuestionDeps = {
  ask: Ask;
  op: ThreadOp;
  /** The messages of the turn: the server withdraws a question by a notification. */
  message$: Observable<TurnMessage>;
};

/**
 * Emits the request, so that its question is known, then that it was asked, then what was decided or that it was withdrawn.
 *   ask       ----y          ask       -----       (y the decision)
 *   message$  -----          message$  ---r-       (r serverRequest/resolved)
 *   out       (RA)(D|)       out       (RA)(W|)    (R the request, A asked, D decided, W withdrawn)
 */
export const askQuestion = ({ ask, op, message$ }: AskQuestionDeps, request: Request): Observable<TurnInput> =>
  merge(
    of(request),
    askUntilWithdrawn<TurnInput>(ask, op, {
      question: (question) => ({ kind: 'asked', request, question }),
      decided: (decision) => of({ kind: 'decided', request, decision }),
      withdrawn$: message$.pipe(
        ofKind('notification'),
        filter(
          ({ method, params }) =>
            method === 'serverRequest/resolved' && read(ResolvedParams, params).requestId === request.id,
        ),
      ),
      onWithdrawn: (question) => ({ kind: 'withdrawn', request, question }),
    }),
  );
