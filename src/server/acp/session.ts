/** A connection of ACP: its client, its sessions, and the requests that wait. */
import {
  type ClientCapabilities,
  REQUEST_CANCELLED,
  readCapabilities,
  type SessionUpdate,
} from '../../protocol/acp/acp';
import type { FileRequest, TerminalRequest } from '../../protocol/codex/events';
import type { Outgoing, Request, RpcErrorObject } from '../../protocol/jsonrpc/messages';
import type { Log } from '../../protocol/log';
import type { Gateway, SessionFacts } from '../../protocol/methods/host';
import { clip } from '../../streams/text/trim';
import { type Calls, noCalls } from '../calls/calls';
import { emptyMap, getValue, type PersistentMap, withoutKey, withValue } from '../calls/persistentMap';
import type { CallInput, EngineInput } from '../calls/step';
import type { AskedPermission } from './permission';
import type { Past } from './replay';
import type { Choices } from './sessionConfig';
import type { TurnView } from './toolView';

/** A session. Its id is that of its thread. */
export type Session = {
  id: string;
  facts: SessionFacts;
  choices: Choices;
  view: TurnView;
  /** The prompt that runs; a session has one at a time. */
  prompt?: RunningPrompt;
  /** What the client was asked and has not answered, by the question. */
  asked: ReadonlyMap<number, AskedPermission>;
  /** The file that the client was asked to read or write and has not answered. */
  file?: { question: number; request: FileRequest };
  /** What the person rejected for as long as the session is open. */
  rejected: readonly string[];
  /** Whether the thread was there before the session. */
  isStored: boolean;
  /** Whether its client knows a title for it. */
  isTitled: boolean;
  /** Its thread is being closed: it takes no prompt any more. */
  isClosing?: true;
};

/** A prompt. It is answered when its turn has had its last event. */
export type RunningPrompt = {
  callId: string;
  request: Request;
  /** Who has cancelled it. */
  stop?: 'session' | 'request';
  /** Inputs that wait to join its turn, oldest first. */
  steered?: readonly { callId: string; request: Request }[] | undefined;
};

/** The request that a call of the engine is for. */
export type AcpCaller = {
  request: Request;
  /** Absent until the session is there. */
  sessionId?: string;
  /** Of a request that opens a session. */
  facts?: SessionFacts;
};

/** A connection at one moment. */
export type Connection = {
  client: ClientCapabilities;
  calls: Calls<AcpCaller>;
  sessions: PersistentMap<Session>;
  /** Requests that wait for this machine, by the key of their job. */
  pending: ReadonlyMap<string, Waiting>;
  /** How many jobs were begun. */
  jobs: number;
  terminals: Terminals;
  /** What the client brings for models, once it has logged in with it. Sessions that are opened from then on ask it. */
  gateway?: Gateway | undefined;
};

/** A request that waits for a job. */
type Waiting = {
  request: Request;
  /** The question that shows a page for it. */
  page?: number;
  /** The session that begins when its past has been read. */
  session?: Session;
};

/** The terminals of a connection. */
export type Terminals = {
  /** What the client was asked and has not answered, by the question. */
  asked: ReadonlyMap<number, AskedTerminal>;
  /** Terminals that are not released. */
  open: readonly OpenTerminal[];
};

/** The call of a turn that a terminal is for. */
type Owner = { sessionId: string; callId: string };

/** What the client was asked. `isLate`: nobody waits for the answer, but a terminal that it brings must be released. */
export type AskedTerminal = Owner & { request: TerminalRequest; isLate?: true };

/** A terminal of the client. `tool`: the id of its tool call. */
export type OpenTerminal = Owner & { tool: string; terminalId: string };

/** Something that this machine does for a request. Its end is an input with the same key. `past`: the thread that it replays, and nothing else. */
export type Job = { kind: 'job'; key: string; request: Request; gateway?: Gateway; past?: Past };

/** What leaves the reducer: a message, a job to begin, or a job that nobody waits for any more. A job is the last output of its step. */
export type AcpOutput =
  | Outgoing
  | Job
  | { kind: 'drop'; key: string }
  /** A message for which the client must have handled the response before it, which it does not await. */
  | { kind: 'soon'; message: Sent };

/** What a client gets. */
export type Sent = Exclude<Outgoing, { kind: 'noResponse' }>;

/** One step of the reducer. */
export type AcpStep = { state: Connection; output: readonly AcpOutput[]; ops: readonly EngineInput[] };

/** A step, and inputs for the calls that follow it. */
export type WithInputs = AcpStep & { inputs?: readonly CallInput<AcpCaller>[] };

/** What the methods of a client need. */
export type AcpDeps = {
  newCallId: () => string;
  /** Never returns the same id twice, nor one of a question of the agent. */
  newQuestionId: () => number;
  log: Log;
  /** Milliseconds since 1970. */
  now: () => number;
  /** The version of this program. */
  version: string;
};

/** The step of a request. Throws RpcError for a fault of the client. */
export type Method = (deps: AcpDeps, state: Connection, request: Request) => WithInputs;

/** The state of a new connection, whose client has declared nothing. */
export const newConnection: Connection = {
  client: readCapabilities(undefined),
  calls: noCalls(),
  sessions: emptyMap(),
  pending: new Map(),
  jobs: 0,
  terminals: { asked: new Map(), open: [] },
};

/** A step without operations for the engine. */
export const toStep = (state: Connection, ...output: AcpOutput[]): AcpStep => ({ state, output, ops: [] });

/** Two steps as one. */
export const joinSteps = (first: AcpStep, second: AcpStep): AcpStep => ({
  state: second.state,
  output: [...first.output, ...second.output],
  ops: [...first.ops, ...second.ops],
});

/** The session of this id; undefined if it is not open. */
export const sessionOf = ({ sessions }: Connection, id: string | undefined): Session | undefined =>
  id === undefined ? undefined : getValue(sessions, id);

/** The state with this session. */
export const putSession = (state: Connection, session: Session): Connection => ({
  ...state,
  sessions: withValue(state.sessions, session.id, session),
});

/** The state without a session. */
export const dropSession = (state: Connection, id: string): Connection => ({
  ...state,
  sessions: withoutKey(state.sessions, id),
});

type About = {
  /** What is done, if that is another request. */
  job?: Request;
  /** The session that begins when its past has been replayed. */
  session?: Session;
  past?: Past;
};

/** The step that begins the job of a request, which waits from then on. */
export const beginJob = (
  state: Connection,
  request: Request,
  { job = request, session, past }: About = {},
): AcpStep => {
  const key = String(state.jobs);
  const pending = new Map(state.pending).set(key, { request, ...(session && { session }) });
  const { gateway } = state;
  return toStep(
    { ...state, jobs: state.jobs + 1, pending },
    { kind: 'job', key, request: job, ...(gateway && { gateway }), ...(past && { past }) },
  );
};

/** The response to a request with this result. */
export const respond = ({ id }: Request, result: unknown): Outgoing => ({ kind: 'response', id, result });

/** The response to a request with this error. */
export const refuse = ({ id }: Request, error: RpcErrorObject): Outgoing => ({ kind: 'response', id, error });

/** An update as a message. */
export const toUpdate = (sessionId: string, update: SessionUpdate): Sent => ({
  kind: 'notification',
  method: 'session/update',
  params: { sessionId, update },
});

const MAX_CHARS = 300;

/** The text of an error as one short line. */
export const toSentence = (text: string): string => clip(text.trim().replace(/\s*\n\s*/g, '; '), MAX_CHARS);

/** The error of a request that its client has cancelled. */
export const CANCELLED: RpcErrorObject = { code: REQUEST_CANCELLED, message: 'The request was cancelled' };
