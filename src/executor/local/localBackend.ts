/** Owns running processes on this machine, as children of this one. */
import { map } from 'rxjs';
import type { ProcessEvent } from '../../protocol';
import { type ChildDeps, fromChild } from '../../transport';
import type { Backend } from '../backend';

/** A backend of child processes; see fromChild for how they end. */
export const localBackend = (deps: ChildDeps): Backend => ({
  start: (spec) => fromChild(deps, spec).pipe(map((event, i): ProcessEvent => ({ ...event, seq: i + 1 }))),
});
