/** A prompt as it begins: a turn, or a command. */
import type { PromptBlock } from '../../protocol/acp/params';
import { textOf as textsOf, type UserInput } from '../../protocol/codex/operations';
import { textOf, toObject } from '../../protocol/jsonrpc/json';
import type { Outgoing, Request } from '../../protocol/jsonrpc/messages';
import { RENAME, SET_TITLE } from './jobs';
import { titleOf, toUserInput } from './promptInput';
import {
  type AcpStep,
  beginJob,
  type Connection,
  putSession,
  respond,
  type Session,
  sessionOf,
  toStep,
  toUpdate,
  type WithInputs,
} from './session';
import { toLasting } from './sessionConfig';
import { type Command, findCommand, skillNotes } from './slashCommands';
import { toTitle } from './toolCalls';
import { beginTurn } from './toolView';
import { showText } from './turnView';

type PromptDeps = { newCallId: () => string; now: () => number };

type Prompt = { request: Request; session: Session; blocks: readonly PromptBlock[] };

/** The step of a prompt. Throws RpcError for a prompt that cannot be read. */
export const beginPrompt = (deps: PromptDeps, state: Connection, prompt: Prompt): WithInputs => {
  const { session, blocks, request } = prompt;
  const [first, ...rest] = blocks;
  const command = first?.type === 'text' ? findCommand(session, first.text) : undefined;
  if (command?.kind === 'answer') return answer(deps, state, { request, session, text: command.text });
  if (command?.kind === 'rename') {
    const params = { sessionId: session.id, title: toTitle(command.name) };
    return beginJob(state, request, { job: { ...request, method: RENAME, params } });
  }
  if (command?.kind === 'logout')
    return beginJob(state, request, { job: { ...request, method: 'logout', params: {} } });
  const input = command?.kind === 'input' ? [{ type: 'text' as const, text: command.text }, ...rest] : blocks;
  const isCompact = command?.kind === 'compact';
  return begin(deps, state, { prompt, command, input: isCompact ? [] : withSkills(session, toUserInput(input)) });
};

const withSkills = ({ facts }: Session, input: UserInput[]): UserInput[] => [
  ...input,
  ...skillNotes(facts, textsOf(input)).map((text) => ({ type: 'text' as const, text })),
];

type Answer = { request: Request; session: Session; text: string };

/** An answer without a model. */
const answer = ({ newCallId }: PromptDeps, state: Connection, { request, session, text }: Answer): WithInputs => {
  const { state: view, output } = showText(beginTurn(session.view, newCallId()), 'agent_message_chunk', text);
  return toStep(
    putSession(state, { ...session, view }),
    ...output.map((update) => toUpdate(session.id, update)),
    respond(request, { stopReason: 'end_turn' }),
  );
};

type Finished = { request: Request; result: unknown };

/** The end of a prompt whose command was a job of this machine, or of a request that names a session: both sides know a new name. */
export const finishCommand = (
  { now }: Pick<PromptDeps, 'now'>,
  state: Connection,
  { request, result }: Finished,
): AcpStep => {
  const { title } = toObject(result);
  const session = sessionOf(state, textOf(request.params.sessionId));
  const isAsked = request.method === SET_TITLE;
  const done = respond(request, isAsked ? result : { stopReason: 'end_turn' });
  if (typeof title !== 'string' || session === undefined) return toStep(state, done);
  return toStep(putSession(state, { ...session, isTitled: true }), toTitled(session.id, title, now()), done);
};

const toTitled = (id: string, title: string, nowMs: number): Outgoing =>
  toUpdate(id, { sessionUpdate: 'session_info_update', title, updatedAt: new Date(nowMs).toISOString() });

type Begin = { prompt: Prompt; command: Command | undefined; input: UserInput[] };

const begin = ({ newCallId, now }: PromptDeps, state: Connection, { prompt, command, input }: Begin): WithInputs => {
  const { request, session, blocks } = prompt;
  const { id, facts, choices } = session;
  const callId = newCallId();
  const lasting = toLasting(facts, choices, session);
  const title = session.isTitled || command?.kind === 'compact' ? '' : toTitle(titleOf(blocks));
  const view = beginTurn(session.view, callId);
  const next = { ...session, view, prompt: { callId, request }, isTitled: session.isTitled || title !== '' };
  const { reads, writes, terminal } = state.client;
  const has = { ...(reads && writes && { files: true as const }), ...(terminal && { terminals: terminal }) };
  const about = { callId, eventId: callId, thread: { id }, askable: true, ...has };
  const op =
    command?.kind === 'compact'
      ? ({ kind: 'compact', ...about } as const)
      : ({ kind: 'turn', ...about, input, ...(lasting && { lasting }) } as const);
  return {
    ...toStep(putSession(state, next), ...(title === '' ? [] : [toTitled(id, title, now())])),
    inputs: [
      {
        kind: 'begin',
        call: { callId, requestId: request.id, asksBy: 'request', caller: { request, sessionId: id } },
        op,
      },
    ],
  };
};
