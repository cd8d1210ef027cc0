/**
 * More input for the prompt of a session while it runs. A second `session/prompt` is refused, so this has a method of its own, which `initialize` declares
 * in `_meta`. Source: codex-acp 2.6.0, `_session/steering`, its outcomes and `_meta.steering`.
 */
import type { PromptBlock } from '../../protocol/acp/params';
import { toObject } from '../../protocol/jsonrpc/json';
import { INVALID_REQUEST, type Outgoing, type Request, RpcError } from '../../protocol/jsonrpc/messages';
import type { CallOutput } from '../calls/step';
import { toUserInput } from './promptInput';
import {
  type AcpCaller,
  type AcpStep,
  CANCELLED,
  type Connection,
  putSession,
  type RunningPrompt,
  refuse,
  respond,
  type Session,
  toStep,
  type WithInputs,
} from './session';

/** The method. */
export const STEER = '_session/steering';

/** What `initialize` declares in `_meta`. */
export const STEERING = { steering: { supported: true } } as const;

type Steering = { request: Request; session: Session; blocks: readonly PromptBlock[] };

/** Gives the input to the running turn. Without a turn the client is asked for a prompt: by a result if it knows that, or by an error. Throws RpcError. */
export const steer = (callId: string, state: Connection, { request, session, blocks }: Steering): WithInputs => {
  const { id, prompt } = session;
  if (prompt === undefined || prompt.stop !== undefined) return withoutTurn(state, request);
  const steered = [...(prompt.steered ?? []), { callId, request }];
  return {
    ...toStep(putSession(state, { ...session, prompt: { ...prompt, steered } })),
    inputs: [
      {
        kind: 'begin',
        call: { callId, requestId: request.id, asksBy: 'request', caller: { request, sessionId: id } },
        op: {
          kind: 'input',
          callId,
          eventId: callId,
          thread: { id },
          askable: true,
          ...(state.client.reads && state.client.writes && { files: true }),
          input: toUserInput(blocks),
        },
      },
    ],
  };
};

const withoutTurn = (state: Connection, request: Request): WithInputs => {
  const { idleBehavior } = toObject(toObject(request.params._meta).steering);
  if (idleBehavior === 'promptRequired') return toStep(state, respond(request, IDLE));
  throw new RpcError(INVALID_REQUEST, 'Invalid Request: no prompt of this session is running; send session/prompt');
};

const IDLE = { outcome: 'promptRequired', reason: 'noRunningTurn' } as const;

/** The step of an input that has joined the turn, or will never: it was cancelled, or could not be given to the agent. */
export const answerSteering = (
  state: Connection,
  session: Session,
  { call, ...output }: Extract<CallOutput<AcpCaller>, { kind: 'finished' | 'cancelled' }>,
): AcpStep => {
  const { prompt } = session;
  const found = prompt?.steered?.find(({ callId }) => callId === call.callId);
  if (prompt === undefined || found === undefined) return toStep(state);
  const steered = prompt.steered?.filter((one) => one !== found);
  const isJoined = output.kind === 'finished' && output.outcome.kind === 'joined';
  return toStep(
    putSession(state, { ...session, prompt: { ...prompt, steered } }),
    output.kind === 'cancelled' && prompt.stop === undefined
      ? refuse(found.request, CANCELLED)
      : respond(found.request, { outcome: isJoined ? 'injected' : 'failed' }),
  );
};

/** Answers all inputs of a prompt that is over. */
export const failSteering = ({ steered = [] }: RunningPrompt): Outgoing[] =>
  steered.map(({ request }) => respond(request, { outcome: 'failed' }));

/**
 * The prompt with the turn of its next input, which the turn before has not taken: the input became a turn of its own, and the prompt goes on with it.
 * Undefined if there is no such input.
 */
export const continued = (session: Session): { session: Session; answer: Outgoing; callId: string } | undefined => {
  const { prompt } = session;
  const [next, ...steered] = prompt?.steered ?? [];
  if (prompt === undefined || prompt.stop !== undefined || next === undefined) return undefined;
  const { callId, request } = next;
  return {
    session: { ...session, prompt: { ...prompt, callId, steered } },
    answer: respond(request, { outcome: 'injected' }),
    callId,
  };
};
