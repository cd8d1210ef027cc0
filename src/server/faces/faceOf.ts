/** How the same conversation looks to clients of different releases. */
import type { Engine } from '../../protocol/codex/engine';
import type { EventMsg, FileChanges } from '../../protocol/codex/eventMsg';
import { type CodexEvent, type Event, endsTurn } from '../../protocol/codex/events';
import { decodeBareMessage, decodeMessage } from '../../protocol/jsonrpc/decodeMessage';
import type { JsonObject } from '../../protocol/jsonrpc/json';
import type { RequestId } from '../../protocol/jsonrpc/messages';
import type { Tool } from '../../protocol/mcp/mcp';
import { lazy } from '../../streams/lazy';
import { type Adapted, adaptEngine, type EventAdapter } from './adaptEngine';
import type { ClientInfo } from './clientInfo';
import { type EventOfTurn, message028, message0153, tagged, unionMessage } from './eventMessages';
import { type OldTexts, TEXTS_028, TEXTS_0153 } from './oldArguments';
import { formOf, PATCH_QUESTION } from './toElicitation';
import type { ToolOffer } from './tools';
import type { AddDeps } from './turn0153';

/** The schemas are made when they are first asked for, as start-up time counts. */
const listed = lazy(() => require('./tools') as typeof import('./tools'));

/** Loaded by the face that needs it. */
const later = lazy(() => require('./events0153') as typeof import('./events0153'));

/** What a client is shown: the union of all releases, or exactly one old release. */
export const FACES = ['union', '0.28', '0.153'] as const;
/** One of `FACES`, as `--face` names it. */
export type FaceName = (typeof FACES)[number];

/** Which tools the union offers: those of Codex, or also the tools about threads. */
export const TOOL_SETS = ['codex', 'extended'] as const;
/** One of `TOOL_SETS`, as `--tools` names it. */
export type ToolSet = (typeof TOOL_SETS)[number];

/** One outward form of the server. */
export type Face = {
  serverInfo: { name: string; title: string; version: string };
  /** Reads a line of the client. */
  decode: typeof decodeMessage;
  capabilities: JsonObject;
  /** What `tools/list` shows; an old release has no more than its own tools. */
  tools: (offer?: ToolOffer) => Tool[];
  /** `_meta` of a `codex/event`. */
  meta: (requestId: RequestId, threadId: string) => JsonObject;
  /** The event in a `codex/event`. */
  msg: (event: EventOfTurn) => JsonObject;
  /** The params of `elicitation/create`. */
  question: (params: JsonObject, msg: EventMsg) => JsonObject;
  /** Results carry `structuredContent`. */
  structured: boolean;
  /** The handshake carries instructions. */
  instructs?: true;
  /** Results name what the client declined, and the thread in a separate text, as no old release did. */
  extended: boolean;
  /** The Codex JSON-RPC methods are served too. */
  codexMethods: boolean;
  /** The id of the events of a reply is its number, not the id of its request. */
  numbersReplies?: true;
  /** `initialize` is answered with the revision that it names, whatever that is. */
  echoesVersion?: true;
  /** The result of a failed turn is `{error}`, without the event `task_complete` before it. */
  failsByError?: true;
  /** The id of the events of a reply is the id of its call, a UUID. */
  namesRepliesByCall?: true;
  /** Changes the events of the engine. */
  adapt: (deps: AddDeps) => (engine: Engine) => Engine;
  /** What `serverInfo` names in addition. */
  userAgent?: (client: ClientInfo) => string;
  /** Texts of an old release for calls that could not begin; such a face also accepts any cursor. */
  texts?: OldTexts;
};

type ServerMachine = { version: string; platform: string; arch: string };

/** The face of this name; some faces show the version of this program and its machine. */
export const faceOf = (name: FaceName, version: string, machine = UNKNOWN): Face =>
  FACE_BY_NAME[name]({ ...machine, version });

const UNKNOWN = { platform: 'unknown', arch: 'unknown' };

const unionFace = ({ version }: ServerMachine): Face => ({
  serverInfo: { name: 'codex-rx', title: 'Codex', version },
  decode: decodeMessage,
  capabilities: { tools: {}, logging: {} },
  tools: (offer) => listed().unionTools(offer),
  meta: (requestId, threadId) => ({ requestId, threadId }),
  msg: unionMessage,
  question: (params) => params,
  structured: true,
  instructs: true,
  extended: true,
  codexMethods: true,
  adapt: () => (engine) => engine,
});

/** Source: tapes of Codex 0.28.0. */
const face028 = (): Face => ({
  serverInfo: { name: 'codex-mcp-server', title: 'Codex', version: '0.28.0' },
  decode: decodeBareMessage, // clients that leave `jsonrpc` out were served
  capabilities: { tools: { listChanged: true } },
  tools: () => listed().tools028(),
  meta: (requestId) => ({ requestId }),
  msg: message028,
  question: ({ threadId: _, ...params }, msg) => withoutForm(params, msg),
  structured: false,
  extended: false,
  codexMethods: true,
  numbersReplies: true,
  echoesVersion: true,
  failsByError: true,
  adapt: () => adaptEngine(events028),
  texts: TEXTS_028,
});

const VERSION_0153 = '0.153.4';

/** Source: tapes of Codex 0.153.4. */
const face0153 = ({ version, platform, arch }: ServerMachine): Face => ({
  serverInfo: { name: 'codex-mcp-server', title: 'Codex', version: VERSION_0153 },
  decode: decodeMessage,
  capabilities: { tools: { listChanged: true } },
  tools: () => listed().tools0153(),
  meta: (requestId, threadId) => ({ requestId, threadId }),
  msg: message0153,
  question: (params, msg) => withTagged(withoutForm(params, msg)),
  structured: true,
  extended: false,
  codexMethods: false,
  namesRepliesByCall: true,
  adapt: (deps) => later().adaptTo0153(deps),
  texts: TEXTS_0153,
  userAgent: (client) =>
    `codex_cli_rs/${VERSION_0153} (${platform}; ${arch}) codex-rx/${version} (${client.name}; ${client.version})`,
});

/** Both old releases asked by a form without fields. Only an answer that names a decision approved, as it does here. */
const withoutForm = (params: JsonObject, msg: EventMsg): JsonObject =>
  formOf(msg) !== undefined
    ? params
    : { ...params, message: oldMessage(params), requestedSchema: { type: 'object', properties: {} } };

/** Source: tape v142-patch-approval-approved. */
const withTagged = ({ codex_changes, ...params }: JsonObject): JsonObject =>
  codex_changes === undefined ? params : { ...params, codex_changes: tagged(codex_changes as FileChanges) };

const oldMessage = ({ codex_elicitation, message }: JsonObject): unknown =>
  codex_elicitation === 'patch-approval' ? PATCH_QUESTION : message;

const FACE_BY_NAME: Record<FaceName, (machine: ServerMachine) => Face> = {
  union: unionFace,
  '0.28': face028,
  '0.153': face0153,
};

/** The last diff of each turn that has one, by call. */
type Diffs = ReadonlyMap<string, CodexEvent>;

/**
 * Repeats the diff of a turn after each later response of the model, and shows a warning and a compaction, which 0.28.0 does not know, as a
 * `background_event`. A warning about an item of the model, and how far the start of a server is, are left out, as there.
 * Source: Codex 0.28.0, WIRE 7.4, tapes patch-*.
 */
export const events028: EventAdapter<Diffs> = {
  initial: new Map(),
  receiveOp: (state) => state,
  receiveEvent: (state, event) => receive(state, event),
};

const receive = (state: Diffs, event: Event): Adapted<Diffs> => {
  if (event.kind !== 'event') return { state, output: [event] };
  const diff = state.get(event.callId);
  const { msg } = event;
  switch (msg.type) {
    case 'turn_diff':
      if (isSameDiff(diff, msg.unified_diff)) return { state, output: [] }; // a tape of 0.28.0 has the repeated ones too
      return { state: new Map(state).set(event.callId, event), output: [event] };
    case 'token_count':
      return { state, output: diff === undefined ? [event] : [event, diff] };
    case 'context_compacted':
      return { state, output: [{ ...event, msg: inBackground(COMPACTED) }] };
    case 'mcp_startup_update':
      return { state, output: [] };
    case 'warning':
      return { state, output: msg.item_type === undefined ? [{ ...event, msg: inBackground(msg) }] : [] };
    default:
      return { state: diff !== undefined && endsTurn(event) ? without(state, event.callId) : state, output: [event] };
  }
};

const COMPACTED = { message: 'The conversation was summarized, as it took too much of the context of the model.' };

const isSameDiff = (diff: CodexEvent | undefined, text: string): boolean =>
  diff?.msg.type === 'turn_diff' && diff.msg.unified_diff === text;

const inBackground = ({ message }: { message: string }) => ({ type: 'background_event', message }) as const;

const without = (state: Diffs, callId: string): Diffs => new Map([...state].filter(([id]) => id !== callId));
