/** The edge to a child process: lines go in, its output and its end come out. */
import { filter, type Observable, type OperatorFunction } from 'rxjs';
import type { ProcessSpec } from '../../protocol/exec/process';
import type { ChildDeps, ChildEvent } from './child';
import { fromChild } from './fromChild';

/** What a peer does; lines are all that can be done with it. */
export type PeerEvent = Exclude<ChildEvent, { kind: 'started' }>;

/**
 * A program as a peer: `line$ => event$`. Each line goes to its input with a newline after it; when the lines end,
 * so does the input. All else is as `fromChild` has it: unsubscribing ends the whole process group.
 *   line$  a---b---|
 *   event$ ---A---B--(xz|)   (A, B output, x exited, z closed)
 */
export const fromPeer =
  (deps: ChildDeps, spec: ProcessSpec): OperatorFunction<string, PeerEvent> =>
  (line$: Observable<string>) =>
    fromChild(deps, spec, line$).pipe(filter((event) => event.kind !== 'started'));
