/** What the MCP server needs of the rest of the program. */
import type { Observable } from 'rxjs';
import type { LogRecord } from '../../protocol/log';
import type { CodexHost } from '../../protocol/methods/host';
import type { CallsDeps } from '../calls/runCalls';
import type { Face } from '../faces/faceOf';
import type { ThreadIdInText } from './toCallResult';
import type { Events } from './toMessages';

/**
 * `record$` is the daemon's own log, for clients that ask for it; `cleanRecord` takes the secrets out of a record. `events` switches
 * `codex/event`; `key` signs request states; `now` is in milliseconds since 1970, `clockMs` since some moment, without jumps; `after` emits
 * once, after that time, and completes. `stop$` ends the connection before its input does; it emits the cause, as a sentence. `codexHost`
 * is what the Codex methods need of this machine, made by the first of them.
 */
export type McpDeps = CallsDeps & {
  face: Face;
  events: Events;
  threadIdInText: ThreadIdInText;
  record$: Observable<LogRecord>;
  cleanRecord: (record: LogRecord) => LogRecord;
  stop$: Observable<string>;
  codexHost: () => CodexHost;
  newCallId: () => string;
  key: () => Buffer;
  now: () => number;
  clockMs: () => number;
  after: (ms: number) => Observable<unknown>;
  instructions: string;
};
