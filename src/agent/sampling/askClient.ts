/** The editor and the terminals of a client, asked in the course of a turn. */
import {
  defaultIfEmpty,
  defer,
  finalize,
  identity,
  type MonoTypeOperatorFunction,
  merge,
  mergeMap,
  type Observable,
  type OperatorFunction,
  of,
  Subject,
  takeUntil,
  timeout,
} from 'rxjs';
import type { EditorAnswer } from '../../executor/patch/seen';
import type { Ask, ReviewResult } from '../../protocol/codex/engine';
import type { Event, FileRequest, TerminalAnswers } from '../../protocol/codex/events';
import { inputFirst } from '../../streams/time/limits';
import type { BegunTurn } from '../thread/steps';
import type { ClientTerminal, ToolCall } from '../tools/tool';

/** The client answers by itself, without a person. */
const MAX_WAIT_MS = 30_000;

type Fault = { fault: string };

const TOO_LATE: Fault = { fault: `it did not answer within ${MAX_WAIT_MS / 1000} s` };
const STOPPED: Fault = { fault: 'the turn was stopped' };

/** What calls may ask the client for; a member is absent if it has nothing of the kind. */
type Client = Pick<ToolCall, 'editor' | 'terminal'>;

type Request = Extract<Event, { kind: 'file' | 'terminal' }>;
type Withdrawn = Extract<Event, { kind: 'withdrawn' }>;

/**
 * Runs calls that may ask the client about its files and terminals. The requests are emitted next to what the calls emit. A client that is too slow, or is
 * asked when the calls are over, has no answer. A request is withdrawn when nobody waits for its answer any more. A client is asked for what it has only.
 *   in   c-------|
 *   ask  ---y
 *   out  F--o----|    (F the request, y the answer, o what the call emits then)
 */
export const withClient =
  <C, S>(
    ask: Ask,
    { op, thread }: Pick<BegunTurn, 'op' | 'thread'>,
    run: (client: Client) => OperatorFunction<C, S>,
  ): OperatorFunction<C, S | Request | Withdrawn> =>
  (call$) => {
    const { callId, files, terminals } = op;
    if (files === undefined && terminals === undefined) return call$.pipe(run({}));
    return defer(() => {
      const request$ = new Subject<Request | Withdrawn>(); // the wire from the calls to what is emitted
      const over$ = new Subject<void>(); // the wire from the end of the calls to open requests
      const about = { callId, threadId: thread.id };
      const answer: Answer = (asked) => askClient(ask, callId, asked).pipe(sendTo(request$), until(over$, asked.maxMs));
      return merge(
        request$.pipe(takeUntil(over$)),
        call$.pipe(
          run({
            ...(files && { editor: editorBy(answer, about) }),
            ...(terminals && { terminal: { ask: terminalBy(answer, about), words: terminals } }),
          }),
          finalize(() => over$.next()),
        ),
      );
    });
  };

const until =
  <A>(over$: Observable<void>, maxMs: number): MonoTypeOperatorFunction<A | Fault> =>
  (answer$) =>
    answer$.pipe(
      maxMs === 0 ? identity : timeout({ first: maxMs, scheduler: inputFirst, with: () => of(TOO_LATE) }),
      takeUntil(over$),
      defaultIfEmpty(STOPPED),
    );

/** What is asked. `maxMs`: how long the client may take; 0 for no limit. */
type Asked<A> = {
  toRequest: (question: number) => Request;
  /** Undefined if the client has declined. */
  answerOf: (verdict: ReviewResult) => A | undefined;
  maxMs: number;
};

type Answer = <A>(asked: Asked<A>) => Observable<A | Fault>;
type About = Pick<Request, 'callId' | 'threadId'>;

const editorBy = (answer: Answer, about: About): ToolCall['editor'] => {
  const answerOf = ({ file: text }: ReviewResult) => (text === undefined ? undefined : { text });
  const ofFile = (request: FileRequest): Observable<EditorAnswer> =>
    answer({
      toRequest: (question) => ({ kind: 'file', ...about, question, request }),
      answerOf,
      maxMs: MAX_WAIT_MS,
    });
  return {
    read: (path) => ofFile({ act: 'read', path }),
    write: (path, text) => ofFile({ act: 'write', path, text }),
  };
};

/** A command has a limit of its own. */
const terminalBy =
  (answer: Answer, about: About): ClientTerminal =>
  (request) =>
    answer({
      toRequest: (question) => ({ kind: 'terminal', ...about, question, request }),
      answerOf: ({ terminal }) => terminal as TerminalAnswers[typeof request.act] | undefined, // it was read as the answer to this request
      maxMs: request.act === 'wait' ? 0 : MAX_WAIT_MS,
    });

type Step<A> = { request: Request } | { answer: A | Fault };

/** Emits the request, then its answer. */
const askClient = <A>(ask: Ask, callId: string, { toRequest, answerOf }: Asked<A>): Observable<Step<A>> =>
  ask<Step<A>>(
    { callId, askable: true },
    (question) => ({ request: toRequest(question) }),
    (verdict) => of({ answer: answerOf(verdict) ?? { fault: verdict.reason ?? 'it declined' } }),
  );

/** Sends the request to the wire, and emits the answer; unsubscribing withdraws the request. */
const sendTo =
  <A>(request$: Subject<Request | Withdrawn>): OperatorFunction<Step<A>, A | Fault> =>
  (step$) =>
    defer(() => {
      let open: Request | undefined;
      return step$.pipe(
        mergeMap((step) => {
          open = 'request' in step ? step.request : undefined;
          if (open) request$.next(open);
          return 'answer' in step ? [step.answer] : [];
        }),
        finalize(() => {
          if (open === undefined) return;
          const { callId, question } = open;
          request$.next({ kind: 'withdrawn', callId, question, reason: 'its answer is not waited for any more' });
        }),
      );
    });
