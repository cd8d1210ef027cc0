/** Owns the edge to a child process that is talked with: lines go in, what it does comes out. */
import type { Observable, OperatorFunction } from 'rxjs';
import type { ProcessSpec } from '../protocol';
import { type ChildDeps, type ChildEvent, fromChild } from './fromChild';

/**
 * A program as a peer: `line$ => event$`. Each line goes to its input with a newline behind it; when the lines end,
 * so does the input. All else is as `fromChild` has it: unsubscribing kills the whole process group.
 *   line$  a---b---|
 *   event$ ---A---B--(xz|)   (A, B output, x exited, z closed)
 */
export const fromPeer =
  (deps: ChildDeps, spec: ProcessSpec): OperatorFunction<string, ChildEvent> =>
  (line$: Observable<string>) =>
    fromChild(deps, spec, line$);
