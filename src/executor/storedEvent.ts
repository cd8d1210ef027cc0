/** Events of processes as an executor stores them for any reader. */
import type { ProcessEvent } from '../protocol/exec/process';

/** An event that an executor stores; a reader adds the other kinds if events are missing. */
export type StoredEvent = Extract<ProcessEvent, { kind: 'output' | 'exited' | 'closed' }>;

/** The exit of a process: its place among the events, and its code. */
export type Exit = { seq: number; exitCode: number };

/** An event, how many bytes of output came before it, and the exit, if that came before. */
export type PlacedEvent = { event: StoredEvent; bytesBefore: number; exit?: Exit };

/** Consecutive events of one process, as they are stored together. */
export type StoredItem = { processId: string; placed: readonly PlacedEvent[] };
