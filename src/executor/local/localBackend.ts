/** Runs processes on this machine, as children of this one. */
import { concat, connect, defer, EMPTY, finalize, ignoreElements, map, type Observable, tap, timer } from 'rxjs';
import type { ProcessEvent, ProcessSpec } from '../../protocol/exec';
import { type ChildDeps, type ChildEvent, fromChild, fromTerminal, type TerminalDeps } from '../../transport';
import type { Backend, Started } from '../backend';
import { readRetained } from './readRetained';
import { RETENTION, type Retained, retention } from './retention';

/** `openStore` where the output of a process is retained; backends that share one share its limits. */
export type LocalDeps = ChildDeps & Pick<TerminalDeps, 'terminals'> & { openStore?: () => Retained };

/** A backend of child processes; see fromChild for how they end. Output is retained until `start` completes or is unsubscribed. */
export const localBackend = ({ openStore = retention(RETENTION), ...deps }: LocalDeps): Backend => ({
  start: (spec) =>
    defer(() => {
      const retained = openStore();
      const child$ = spec.tty ? fromTerminal(deps, spec) : fromChild(deps, spec);
      return concat(child$.pipe(connect(numbered(retained))), rest(spec)).pipe(finalize(retained.release));
    }),
});

const rest = ({ keepMs }: ProcessSpec): Observable<never> =>
  keepMs === undefined ? EMPTY : timer(keepMs).pipe(ignoreElements());

/** Numbers the events. Each is retained before it is emitted, so that a waiting read finds it. */
const numbered =
  (retained: Retained) =>
  (event$: Observable<ChildEvent>): Observable<Started | ProcessEvent> =>
    event$.pipe(
      map((event, i): Started | ProcessEvent =>
        event.kind === 'started'
          ? {
              kind: 'started',
              process: { ...event.child, read: readRetained({ page: retained.page, change$: event$ }) },
            }
          : { ...event, seq: event.kind === 'failed' ? 1 : i },
      ),
      tap((event) => event.kind !== 'started' && retained.add(event)),
    );
