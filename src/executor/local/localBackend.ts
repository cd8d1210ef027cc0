/** Runs processes on this machine, as children of this one. */
import {
  concat,
  connect,
  defer,
  EMPTY,
  finalize,
  ignoreElements,
  map,
  type Observable,
  of,
  switchMap,
  timer,
} from 'rxjs';
import type { ChildDeps, ChildEvent } from '../../io/processes/child';
import { fromChild } from '../../io/processes/fromChild';
import { fromTerminal, type TerminalDeps } from '../../io/processes/fromTerminal';
import type { ProcessEvent, ProcessSpec } from '../../protocol/exec/process';
import { joinBackpressure } from '../../streams/backpressure/joinBackpressure';
import type { Backend, Process, Started } from '../backend';
import { readRetained } from './readRetained';
import { type OpenStore, RETENTION, type Retained, retention } from './retention';

/** `openStore` opens the store that retains the output of a process; backends that share it share its limits. */
export type LocalDeps = ChildDeps & Pick<TerminalDeps, 'terminals'> & { openStore?: OpenStore };

/** A backend of child processes; see fromChild for how they end. Output is retained until `start` completes or is unsubscribed. */
export const localBackend = ({ openStore = retention(RETENTION), ...deps }: LocalDeps): Backend => ({
  start: (spec) =>
    defer((): Observable<Started | ProcessEvent> => {
      if (spec.elsewhere !== undefined) return of({ kind: 'failed', seq: 1, reason: MEANT_ELSEWHERE });
      const retained = openStore(spec);
      const own = { ...deps, backpressure: joinBackpressure(deps.backpressure, retained.backpressure) };
      const child$ = spec.tty ? fromTerminal(own, spec) : fromChild(own, spec);
      return concat(child$.pipe(connect(numbered(retained))), rest(spec)).pipe(finalize(retained.release));
    }),
});

/** It would run without the sandbox that was asked for. */
const MEANT_ELSEWHERE = 'the process is meant for an executor, and was not started on this machine';

const rest = ({ keepMs }: ProcessSpec): Observable<never> =>
  keepMs === undefined ? EMPTY : timer(keepMs).pipe(ignoreElements());

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
