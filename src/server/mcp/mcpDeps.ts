/** What the MCP server needs of the rest of the program. */
import type { Observable } from 'rxjs';
import type { LogRecord } from '../../protocol/log';
import type { CodexHost } from '../../protocol/methods/host';
import type { CallsDeps } from '../calls/runCalls';
import type { Face } from '../faces/faceOf';
import type { ToolOffer } from '../faces/tools';
import type { CallTasks } from '../tasks/taskStore';
import type { Library } from './library';
import type { ThreadIdInText } from './toCallResult';
import type { Events } from './toMessages';

/** What the MCP server needs. */
export type McpDeps = CallsDeps & {
  face: Face;
  /** Whether `codex/event` is sent. */
  events: Events;
  threadIdInText: ThreadIdInText;
  /** The log of this program, for clients that ask for it. */
  record$: Observable<LogRecord>;
  /** Removes the secrets from a record. */
  cleanRecord: (record: LogRecord) => LogRecord;
  /** Ends the connection before its input does. Emits the cause, as a sentence. */
  stop$: Observable<string>;
  /** What the Codex methods need of this machine; called by the first of them. */
  codexHost: () => CodexHost;
  newCallId: () => string;
  /** Key that signs request states. */
  key: () => Buffer;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Milliseconds since some moment; never jumps. */
  clockMs: () => number;
  /** The same, to tell how long a call took; a clock of its own, as tapes record what each clock showed in order. */
  workMs: () => number;
  /** Emits once, after that time, and completes. */
  after: (ms: number) => Observable<unknown>;
  instructions: string;
  /** The prompts of the user, and whether there are threads; absent for a face of an old release. */
  library?: () => Library;
  /** Which tools are offered besides `codex` and `codex-reply`; by default none. */
  offer?: ToolOffer;
  /** How long a request of a call without a task waits, in ms; by default until the call is done. */
  answerWithinMs?: number;
  /** Absent if no call becomes a task; the extension is not declared then. */
  tasks?: CallTasks;
};
