/** Runs processes on this machine, as children of this one. */
import {
  concat,
  connect,
  defer,
  filter,
  finalize,
  ignoreElements,
  map,
  merge,
  type Observable,
  of,
  switchMap,
  take,
  timer,
} from 'rxjs';
import type { ChildDeps, ChildEvent } from '../../io/processes/child';
import { fromChild } from '../../io/processes/fromChild';
import { fromTerminal, type TerminalDeps } from '../../io/processes/fromTerminal';
import type { OutputPage, ProcessEvent, ReadRequest } from '../../protocol/exec/process';
import { joinBackpressure } from '../../streams/backpressure';
import { type Backend, keptBy, type Process, type Started } from '../backend';
import { type OpenStore, RETENTION, type Retained, retention } from './retention';

type LocalDeps = ChildDeps &
  Pick<TerminalDeps, 'terminals'> & {
    /** Opens the store that retains the output of a process. Backends that share it share its limits. */
    openStore?: OpenStore;
  };

/** A backend of child processes; see fromChild for how they end. Output is retained until `start` completes or is unsubscribed. */
export const localBackend = ({ openStore = retention(RETENTION), ...deps }: LocalDeps): Backend => ({
  start: (spec) =>
    defer((): Observable<Started | ProcessEvent> => {
      if (spec.elsewhere !== undefined) return of({ kind: 'failed', seq: 1, reason: MEANT_ELSEWHERE });
      const retained = openStore(spec);
      const own = { ...deps, backpressure: joinBackpressure(deps.backpressure, retained.backpressure) };
      const child$ = spec.tty ? fromTerminal(own, spec) : fromChild(own, spec);
      return concat(child$.pipe(connect(numbered(retained))), keptBy(spec)).pipe(finalize(retained.release));
    }),
});

/** It would run without its sandbox. */
const MEANT_ELSEWHERE = 'the process is meant for an executor, and was not started on this machine';

/** A read acknowledges all up to its `afterSeq`. */
const readingOf = (retained: Retained, change$: Observable<ChildEvent>): Pick<Process, 'read' | 'acknowledge'> => {
  const read = readRetained({ page: retained.page, change$ });
  const acknowledge = (seq: number) => defer(() => of(retained.acknowledge(seq)));
  return { acknowledge, read: (from) => acknowledge(from.afterSeq).pipe(switchMap(() => read(from))) };
};

type Happened = Exclude<ChildEvent, { kind: 'started' }>;

/** The protocol has the exit code only. */
const toProcessEvent = (event: Happened, seq: number): ProcessEvent => {
  if (event.kind === 'output') return { kind: 'output', seq, stream: event.stream, chunk: event.chunk };
  return event.kind === 'exited' ? { kind: 'exited', seq, exitCode: event.exitCode } : { ...event, seq };
};

/** Numbers the events. Each is retained before it is emitted, so that a waiting read finds it. */
const numbered =
  (retained: Retained) =>
  (event$: Observable<ChildEvent>): Observable<Started | ProcessEvent> =>
    event$.pipe(
      map((event, i): Started | ProcessEvent => {
        if (event.kind === 'started')
          return { kind: 'started', process: { ...event.child, ...readingOf(retained, event$) } };
        const numberedEvent = toProcessEvent(event, event.kind === 'failed' ? 1 : i);
        retained.add(numberedEvent);
        return numberedEvent;
      }),
    );

type ReadDeps = {
  page: (from: Omit<ReadRequest, 'waitMs'>) => OutputPage;
  change$: Observable<unknown>;
};

/**
 * Emits a page at once when there is something new, else with the first change that brings it, at `waitMs`, or when no more
 * changes come.
 *   change$ --a---b-|     (b brings output)
 *   out     ------(P|)
 * Source: codex exec-server 0.142.0, process/read: chunks, a close, or an exit not read yet end the wait.
 */
export const readRetained =
  ({ page, change$ }: ReadDeps) =>
  ({ waitMs, ...from }: ReadRequest): Observable<OutputPage> =>
    defer(() => {
      const now = page(from);
      if (waitMs === 0 || hasMore(now, from.afterSeq)) return of(now);
      const last$ = defer(() => of(page(from)));
      const more$ = change$.pipe(
        map(() => page(from)),
        filter((later) => hasMore(later, from.afterSeq)),
      );
      return merge(concat(more$, last$), concat(timer(waitMs).pipe(ignoreElements()), last$)).pipe(take(1));
    });

const hasMore = ({ chunks, nextSeq, exited, closed }: OutputPage, afterSeq: number): boolean =>
  chunks.length > 0 || closed || (exited && afterSeq < nextSeq - 1);
