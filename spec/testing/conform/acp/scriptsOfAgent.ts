/** What the turns of the agent that conforms ask of its client, by the text of the prompt: `ask`, `read`, `write`, `run`. */
import { toObject } from '../../../../src/protocol/jsonrpc/json';
import type { Json } from '../planting';

/** Where a turn stands: what it sends, and how its tool call ended; undefined while it waits. */
type Step = { sent: string[]; status?: string };

/** The tool call of a turn. */
export type Script = {
  begin: () => Step;
  /** Takes the response that it waits for; undefined for another. */
  take: (response: Json) => Step | undefined;
  /** What it sends when it is cancelled. */
  release: () => string[];
};

type Made = { sessionId: unknown; toolCallId: string; client: Json };
type Asked = { method: string; params: Json };
/** Yields its requests, and gets their responses. Returns the status of the tool call. */
type Turn = Generator<Asked, string, Json>;

const OPTIONS = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
];

const statusOf = ({ error }: Json): string => (error === undefined ? 'completed' : 'failed');

const TURNS: Readonly<Record<string, (made: Made) => Turn>> = {
  *ask({ toolCallId }): Turn {
    const { result } = yield {
      method: 'session/request_permission',
      params: { toolCall: { toolCallId }, options: OPTIONS },
    };
    const { outcome, optionId } = toObject(toObject(result).outcome);
    return outcome === 'selected' && optionId === 'yes' ? 'completed' : 'failed';
  },
  *read({ client }): Turn {
    if (toObject(client.fs).readTextFile !== true) return 'completed';
    return statusOf(yield { method: 'fs/read_text_file', params: { path: '/work/a', line: 1, limit: 10 } });
  },
  *write({ client }): Turn {
    if (toObject(client.fs).writeTextFile !== true) return 'completed';
    return statusOf(yield { method: 'fs/write_text_file', params: { path: '/work/a', content: 'one' } });
  },
  *run({ client }): Turn {
    if (client.terminal !== true) return 'completed';
    const { result, error } = yield { method: 'terminal/create', params: { command: 'ls', cwd: '/work' } };
    if (error !== undefined) return 'failed';
    const { terminalId } = toObject(result);
    yield { method: 'terminal/wait_for_exit', params: { terminalId } };
    yield { method: 'terminal/release', params: { terminalId } };
    return 'completed';
  },
};

/** The tool call of a prompt. */
export const scriptOf = (text: string, made: Made): Script => {
  const turn = (Object.hasOwn(TURNS, text) ? TURNS[text] : undefined)?.(made);
  let [count, waitsFor, terminalId]: [number, string, unknown] = [0, '', undefined];
  const send = ({ method, params }: Asked): string => {
    count += 1;
    waitsFor = `${made.toolCallId}-${count}`;
    return JSON.stringify({ jsonrpc: '2.0', id: waitsFor, method, params: { sessionId: made.sessionId, ...params } });
  };
  const toStep = ({ done, value }: IteratorResult<Asked, string>): Step => {
    if (done) return { sent: [], status: value };
    if (value.method === 'terminal/release') terminalId = undefined;
    return { sent: [send(value)] };
  };
  return {
    begin: () => (turn === undefined ? { sent: [], status: 'completed' } : toStep(turn.next({}))),
    take: (response) => {
      if (turn === undefined || response.id !== waitsFor) return undefined;
      terminalId = toObject(response.result).terminalId ?? terminalId;
      return toStep(turn.next(response));
    },
    release: () => (terminalId === undefined ? [] : [send({ method: 'terminal/release', params: { terminalId } })]),
  };
};
