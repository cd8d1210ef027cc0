/** Events: what an engine emits about the calls it was given. */
import type { JsonObject } from '../jsonrpc/json';
import type { RpcErrorObject } from '../jsonrpc/messages';
import type { EventMsg } from './eventMsg';

/** What an engine emits about one call. The last is `rejected`, `done`, `joined`, `task_complete` or `turn_aborted`; an `error` comes before. */
export type Event =
  /**
   * An event of its turn. Two members are set on an approval request: `question`, the id that its answer must carry, and `covers`, what an approval for the
   * session covers, if the engine knows it. On an `error`, `rpcError` is the JSON-RPC error with which the request of the call is answered, and
   * `bound` what the turn has used up if a bound of the configuration ended it: tokens, or requests to the model and commands.
   */
  | {
      kind: 'event';
      callId: string;
      threadId: string;
      turnId: string;
      id: string;
      msg: EventMsg;
      question?: number;
      covers?: Coverage;
      rpcError?: RpcErrorObject;
      bound?: 'tokens' | 'requests';
    }

  /** Deltas that arrived together, in order; they pass through as one because there are thousands of them. */
  | { kind: 'deltas'; callId: string; threadId: string; turnId: string; id: string; msgs: readonly EventMsg[] }

  /** An action was not taken. `what` describes it; without a `reason` the client declined it. */
  | { kind: 'declined'; callId: string; what: string; reason?: string; question?: number }

  /** A question needs no answer any more, and what it asked about was not declined. */
  | { kind: 'withdrawn'; callId: string; question: number; reason: string }

  /** A request to the client's model. Its answer must carry the id `question`; `params` are those of MCP's `sampling/createMessage`. */
  | { kind: 'sampling'; callId: string; threadId: string; question: number; params: JsonObject }

  /** A request to the client to read or write a file of this machine, as its editor shows the file. Its answer must carry the id `question`. */
  | { kind: 'file'; callId: string; threadId: string; question: number; request: FileRequest }

  /** A request to the client about a terminal in which it runs a command. Its answer must carry the id `question`. */
  | { kind: 'terminal'; callId: string; threadId: string; question: number; request: TerminalRequest }

  /** The call was not started; `message` is the reason. Nothing follows. */
  | { kind: 'rejected'; callId: string; message: string }

  /** An operation that is not a turn was carried out. */
  | { kind: 'done'; callId: string; threadId: string }

  /** The input of this call was given to the model in the turn of the call `turnCallId`. */
  | { kind: 'joined'; callId: string; threadId: string; turnCallId: string };

/** An output of an engine that carries a `msg`. */
export type CodexEvent = Extract<Event, { kind: 'event' }>;
/** An output of an engine that is a request to the client's model. */
export type Sampling = Extract<Event, { kind: 'sampling' }>;
/** What is asked of a client about a file; `path` is absolute. */
export type FileRequest = { act: 'read'; path: string } | { act: 'write'; path: string; text: string };
/** An output of an engine that is a request about a file. */
export type FileEvent = Extract<Event, { kind: 'file' }>;

/** What is asked of a client about its terminals. Whoever serves the client releases a terminal when its tool call ends, or its turn. */
export type TerminalRequest =
  /** To run a command in a new one. */
  | {
      act: 'create';
      /** The id of the tool call. */
      tool: string;
      argv: readonly string[];
      /** Variables to set; the client has others. */
      env: Readonly<Record<string, string>>;
      /** Absolute. */
      cwd: string;
      /** How much of the output is kept, from its end. */
      maxBytes: number;
    }
  /** To wait until its command has ended, to show the output so far, or to end the command. */
  | { act: 'wait' | 'output' | 'kill'; terminal: string };

/** What a client answers to each of these requests. */
export type TerminalAnswers = {
  create: { terminal: string };
  /** How the command has ended; a number, the name of a signal, or neither. */
  wait: { exitCode: number | null; signal: string | null };
  /** `isCut`: its beginning was not kept. */
  output: { text: string; isCut: boolean };
  kill: Record<string, never>;
};
/** An output of an engine that is a request about a terminal. */
export type TerminalEvent = Extract<Event, { kind: 'terminal' }>;
/** An output of an engine that carries several deltas, which arrived together. */
export type DeltaEvents = Extract<Event, { kind: 'deltas' }>;

/** The input of a call went into the turn of another. */
export type Joined = Extract<Event, { kind: 'joined' }>;

/** True for the last output of a call. */
export const isLast = (event: Event): boolean => endsTurn(event) || event.kind === 'done' || event.kind === 'joined';

/** True for the last event of a turn. A call whose input joined the turn may have had its `joined` before. */
export const endsTurn = (event: Event): boolean =>
  event.kind === 'rejected' ||
  (event.kind === 'event' && (event.msg.type === 'task_complete' || event.msg.type === 'turn_aborted'));

/** What an approval for the session covers: this call only; the same command while the files that it names keep their bytes; a tool, whatever its arguments. */
export type Coverage = 'once' | 'bytes' | 'tool';
