/** The editor of a client, asked about files in the course of a turn. */
import {
  defaultIfEmpty,
  defer,
  filter,
  finalize,
  merge,
  type Observable,
  type OperatorFunction,
  of,
  Subject,
  takeUntil,
  tap,
  timeout,
} from 'rxjs';
import type { EditorAnswer } from '../../executor/patch/seen';
import type { Ask } from '../../protocol/codex/engine';
import type { FileEvent, FileRequest } from '../../protocol/codex/events';
import { inputFirst } from '../../streams/time/limits';
import type { BegunTurn } from '../thread/steps';
import type { ToolCall } from '../tools/tool';

/** An editor answers by itself, without a person. */
const MAX_WAIT_MS = 30_000;

const TOO_LATE: EditorAnswer = { fault: `it did not answer within ${MAX_WAIT_MS / 1000} s` };
const STOPPED: EditorAnswer = { fault: 'the turn was stopped' };

/**
 * Runs calls that may ask the editor of the client for files. The requests are emitted next to what the calls emit. An editor that is too slow, or is asked
 * when the calls are over, has no answer. A client without files is never asked.
 *   in   c-------|
 *   ask  ---y
 *   out  F--o----|    (F the request, y the answer, o what the call emits then)
 */
export const withEditor =
  <C, S>(
    ask: Ask,
    { op, thread }: Pick<BegunTurn, 'op' | 'thread'>,
    run: (editor: ToolCall['editor']) => OperatorFunction<C, S>,
  ): OperatorFunction<C, S | FileEvent> =>
  (call$) => {
    const { callId, files } = op;
    if (files === undefined) return call$.pipe(run(undefined));
    return defer(() => {
      const request$ = new Subject<FileEvent>(); // the wire from the calls to what is emitted
      const over$ = new Subject<void>(); // the wire from the end of the calls to open requests
      const answer = (request: FileRequest): Observable<EditorAnswer> =>
        askEditor(ask, { callId, threadId: thread.id }, request).pipe(
          answeredInTime(request$),
          takeUntil(over$),
          defaultIfEmpty(STOPPED),
        );
      const read = (path: string) => answer({ act: 'read', path });
      const write = (path: string, text: string) => answer({ act: 'write', path, text });
      return merge(
        request$.pipe(takeUntil(over$)),
        call$.pipe(
          run({ read, write }),
          finalize(() => over$.next()),
        ),
      );
    });
  };

const answeredInTime =
  (request$: Subject<FileEvent>): OperatorFunction<FileEvent | EditorAnswer, EditorAnswer> =>
  (step$) =>
    step$.pipe(
      tap((step) => 'kind' in step && request$.next(step)),
      filter((step): step is EditorAnswer => !('kind' in step)),
      timeout({ first: MAX_WAIT_MS, scheduler: inputFirst, with: () => of(TOO_LATE) }),
    );

/** Emits the request, then its answer. */
const askEditor = (
  ask: Ask,
  about: Pick<FileEvent, 'callId' | 'threadId'>,
  request: FileRequest,
): Observable<FileEvent | EditorAnswer> =>
  ask<FileEvent | EditorAnswer>(
    { callId: about.callId, askable: true },
    (question) => ({ kind: 'file', ...about, question, request }),
    ({ file, reason = 'it declined' }) => of(file === undefined ? { fault: reason } : { text: file }),
  );
