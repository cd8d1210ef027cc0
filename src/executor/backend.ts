/** Owns the port to whatever runs processes. */
import type { Observable } from 'rxjs';
import type { ProcessEvent, ProcessSpec } from '../protocol';

/**
 * Runs processes somewhere. `start` emits the process's events in order of `seq` and completes after
 * `closed` or `failed`; it never errors. Unsubscribing ends the process and all it started.
 */
export type Backend = { start: (spec: ProcessSpec) => Observable<ProcessEvent> };
