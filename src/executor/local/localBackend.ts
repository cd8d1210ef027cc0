/** Owns running processes on this machine, as children of this one. */
import { concat, connect, defer, EMPTY, finalize, ignoreElements, map, type Observable, tap, timer } from 'rxjs';
import type { ProcessEvent, ProcessSpec } from '../../protocol/exec';
import { type ChildDeps, type ChildEvent, fromChild, fromTerminal, type TerminalDeps } from '../../transport';
import type { Backend, Started } from '../backend';
import { readKept } from './readKept';
import { RETENTION, type Retained, retention } from './retention';

/** `openStore` where the output of a process is kept; backends that share one share its limits. */
export type LocalDeps = ChildDeps & Pick<TerminalDeps, 'terminals'> & { openStore?: () => Retained };

/** A backend of child processes; see fromChild for how they end. Output is kept until `start` completes or is left. */
export const localBackend = ({ openStore = retention(RETENTION), ...deps }: LocalDeps): Backend => ({
  start: (spec) =>
    defer(() => {
      const kept = openStore();
      const child$ = spec.tty ? fromTerminal(deps, spec) : fromChild(deps, spec);
      return concat(child$.pipe(connect(numbered(kept))), rest(spec)).pipe(finalize(kept.release));
    }),
});

const rest = ({ keepMs }: ProcessSpec): Observable<never> =>
  keepMs === undefined ? EMPTY : timer(keepMs).pipe(ignoreElements());

/** Each event gets its number, and is kept before it is told; who waits to read hears of it after that. */
const numbered =
  (kept: Retained) =>
  (event$: Observable<ChildEvent>): Observable<Started | ProcessEvent> =>
    event$.pipe(
      map((event, i): Started | ProcessEvent =>
        event.kind === 'started'
          ? { kind: 'started', process: { ...event.child, read: readKept({ page: kept.page, change$: event$ }) } }
          : { ...event, seq: event.kind === 'failed' ? 1 : i },
      ),
      tap((event) => event.kind !== 'started' && kept.add(event)),
    );
