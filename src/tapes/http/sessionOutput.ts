/** What a recorder of MCP over HTTP emits. */
import type { RecordedLine } from '../format/tape';
import type { HttpSessions } from './httpSessions';

/** A line of a session, counted from 0; `over`: the session is over. `rejected`: a request that belongs to no session, as a text for people. */
export type SessionOutput =
  | { kind: 'line'; session: number; recorded: RecordedLine }
  | { kind: 'over'; session: number }
  | { kind: 'rejected'; text: string };

/** The new state, and what is emitted. */
export type SessionStep = { state: HttpSessions; output: readonly SessionOutput[] };

/** A line of a session. */
export const lineOf = (session: number, recorded: RecordedLine): SessionOutput => ({ kind: 'line', session, recorded });
