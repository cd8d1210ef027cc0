/** Owns what the server needs of the rest of the house. */
import type { Observable } from 'rxjs';
import type { Log, LogRecord } from '../../log';
import type { Engine } from '../../protocol';
import type { Face } from './faces';

/**
 * `engine` runs the conversations. `record$` is the daemon's own log, for clients that ask for it.
 * `events` switches `codex/event`; `key` signs request states; `now` is in milliseconds since 1970.
 */
export type McpDeps = {
  engine: Engine;
  face: Face;
  events: boolean;
  log: Log;
  record$: Observable<LogRecord>;
  newCallId: () => string;
  newQuestionId: () => number;
  askTimeoutMs: number;
  key: () => Buffer;
  now: () => number;
  instructions: string;
};
