/** The terminals of the client: what it is asked about them, and which of them are not released yet. */
import { RESULTS } from '../../protocol/acp/shapes';
import type { ReviewResult } from '../../protocol/codex/engine';
import type { TerminalAnswers, TerminalEvent, TerminalRequest } from '../../protocol/codex/events';
import { faultsOf } from '../../protocol/jsonrpc/checkParams';
import { toObject, wordOf } from '../../protocol/jsonrpc/json';
import type { Outgoing, Response } from '../../protocol/jsonrpc/messages';
import type { CallOutput } from '../calls/step';
import {
  type AcpCaller,
  type AcpStep,
  type AskedTerminal,
  type Connection,
  type OpenTerminal,
  putSession,
  sessionOf,
  type Terminals,
  toSentence,
  toStep,
  toUpdate,
} from './session';
import { showTerminal } from './toolView';

type TerminalDeps = { newQuestionId: () => number };

/** What an output of the call of a prompt does to terminals. A terminal is released when its tool call ends; one whose turn ends before is ended too. */
export const followTerminals = (deps: TerminalDeps, state: Connection, output: CallOutput<AcpCaller>): AcpStep => {
  switch (output.kind) {
    case 'client': {
      const { event, call } = output;
      return event.kind === 'terminal' ? askClient(state, call.caller.sessionId ?? '', event) : toStep(state);
    }
    case 'withdrawn':
      return withdraw(state, output.questions);
    case 'event': {
      const { callId, msg } = output.event;
      return msg.type === 'exec_command_end'
        ? release(deps, state, (one) => (one.callId === callId && one.tool === msg.call_id ? ['release'] : undefined))
        : toStep(state);
    }
    case 'cancelled':
    case 'finished':
      return release(deps, state, (one) => (one.callId === output.call.callId ? ['kill', 'release'] : undefined));
    default:
      return toStep(state);
  }
};

const withTerminals = (state: Connection, terminals: Partial<Terminals>): Connection => ({
  ...state,
  terminals: { ...state.terminals, ...terminals },
});

const METHODS = {
  create: 'terminal/create',
  wait: 'terminal/wait_for_exit',
  output: 'terminal/output',
  kill: 'terminal/kill',
  release: 'terminal/release',
} as const;

const askClient = (state: Connection, sessionId: string, { callId, question, request }: TerminalEvent): AcpStep =>
  toStep(
    withTerminals(state, { asked: new Map(state.terminals.asked).set(question, { sessionId, callId, request }) }),
    {
      kind: 'request',
      id: question,
      method: METHODS[request.act],
      params: { sessionId, ...toParams(request) },
    },
  );

const toParams = (request: TerminalRequest) => {
  if (request.act !== 'create') return { terminalId: request.terminal };
  const { argv, env, cwd, maxBytes: outputByteLimit } = request;
  const [command = '', ...args] = argv;
  return { command, args, env: Object.entries(env).map(([name, value]) => ({ name, value })), cwd, outputByteLimit };
};

/** How many terminals may be late. A client that opens none sends further prompts all the same. */
const MAX_LATE = 100;

/** A terminal that is being opened is not withdrawn by a notification, with which a client might forget a command that has begun. */
const withdraw = (state: Connection, questions: readonly number[]): AcpStep => {
  const kept = [...state.terminals.asked].flatMap(([question, one]): [number, AskedTerminal][] => {
    if (!questions.includes(question)) return [[question, one]];
    return one.request.act === 'create' ? [[question, { ...one, isLate: true }]] : [];
  });
  const late = kept.filter(([, { isLate }]) => isLate);
  const [oldest] = late.length > MAX_LATE ? late : [];
  return toStep(withTerminals(state, { asked: new Map(kept.filter((one) => one !== oldest)) }));
};

type Ending = readonly ('kill' | 'release')[];

/** Ends the terminals for which there is an ending, and forgets them. Nobody waits for the answers. */
const release = (
  { newQuestionId }: TerminalDeps,
  state: Connection,
  endingOf: (terminal: OpenTerminal) => Ending | undefined,
): AcpStep => {
  const left = state.terminals.open.filter((one) => endingOf(one) === undefined);
  if (left.length === state.terminals.open.length) return toStep(state);
  const messages = state.terminals.open.flatMap((one) =>
    (endingOf(one) ?? []).map((act) => toEnding(newQuestionId(), act, one)),
  );
  return toStep(withTerminals(state, { open: left }), ...messages);
};

const toEnding = (
  id: number,
  act: Ending[number],
  { sessionId, terminalId }: Pick<OpenTerminal, 'sessionId' | 'terminalId'>,
): Outgoing => ({ kind: 'request', id, method: METHODS[act], params: { sessionId, terminalId } });

type Answer = { question: number; response: Response };

/** The step of an answer about a terminal, and the verdict for whoever waits for it; undefined if the client was not asked this question. */
export const answerTerminal = (
  deps: TerminalDeps,
  before: Connection,
  { question, response }: Answer,
): (AcpStep & { verdict?: ReviewResult }) | undefined => {
  const asked = before.terminals.asked.get(question);
  if (asked === undefined) return undefined;
  const { request, isLate } = asked;
  const state = withTerminals(before, {
    asked: new Map([...before.terminals.asked].filter(([one]) => one !== question)),
  });
  const answer = readAnswer(request, response);
  if (typeof answer === 'string')
    return { ...toStep(state), ...(!isLate && { verdict: { decision: 'denied', reason: answer } }) };
  const verdict: ReviewResult = { decision: 'approved', terminal: answer };
  if (request.act !== 'create' || !('terminal' in answer)) return { ...toStep(state), verdict };
  const { sessionId, callId } = asked;
  const opened: OpenTerminal = { sessionId, callId, tool: request.tool, terminalId: answer.terminal };
  if (state.terminals.open.some((one) => one.sessionId === sessionId && one.terminalId === opened.terminalId))
    return { ...toStep(state), ...(!isLate && { verdict: { decision: 'denied', reason: TAKEN } }) };
  const next = withTerminals(state, { open: [...state.terminals.open, opened] });
  return isLate
    ? release(deps, next, (one) => (one === opened ? ['kill', 'release'] : undefined))
    : { ...show(next, opened), verdict };
};

const TAKEN = 'it named a terminal that another command has';

const show = (state: Connection, { sessionId, tool, terminalId }: OpenTerminal): AcpStep => {
  const session = sessionOf(state, sessionId);
  if (session === undefined) return toStep(state);
  const { state: view, output } = showTerminal(session.view, tool, terminalId);
  return toStep(putSession(state, { ...session, view }), ...output.map((update) => toUpdate(sessionId, update)));
};

/** Longer than the id of any client. It is repeated in each message about the terminal. */
const MAX_ID = 1_000;

/** What the client has answered, or why that is no answer. */
const readAnswer = ({ act }: TerminalRequest, response: Response): TerminalAnswers[keyof TerminalAnswers] | string => {
  if ('error' in response) return `error ${response.error.code}: ${toSentence(response.error.message)}`;
  if (act === 'kill') return {};
  const result = 'result' in response ? response.result : undefined;
  const { error } = RESULTS[METHODS[act]]?.().safeParse(result) ?? {};
  if (error) return `its answer cannot be read: ${toSentence(faultsOf(error, 'result'))}`;
  const { terminalId, exitCode = null, signal = null, output, truncated } = toObject(result);
  if (act === 'wait') return { exitCode, signal } as TerminalAnswers['wait'];
  if (act === 'output') return { text: wordOf(output), isCut: truncated === true };
  const terminal = wordOf(terminalId);
  return terminal === '' || terminal.length > MAX_ID
    ? `its answer has no id of 1 to ${MAX_ID} characters`
    : { terminal };
};
