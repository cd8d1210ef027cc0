import { ignoreElements, type OperatorFunction } from 'rxjs';
import { runTurn, type Shown } from '../../../src/cli/commands/run';
import type { ServerEvent } from '../../../src/io/serverProcess/serverProcess';
import { marbles } from '../../support/marbles';

const line = (message: object): ServerEvent => ({ kind: 'line', line: JSON.stringify({ jsonrpc: '2.0', ...message }) });
const progress = (message: string) => line({ method: 'notifications/progress', params: { progressToken: 1, message } });

const failed = (text: string) => line({ id: 2, result: { content: [{ type: 'text', text }], isError: true } });

const events: Record<string, ServerEvent> = {
  i: line({ id: 0, result: { capabilities: {} } }),
  p: progress('thinking'),
  q: progress('running: ls'),
  g: { kind: 'log', line: 'a warning' },
  t: { kind: 'log', line: '2026-11-29T17:08:34.965Z error a turn failed callId=1 threadId=T reason="no model"' },
  r: { kind: 'log', line: '2026-11-29T17:08:34.965Z warning a call was rejected callId=1 reason="no model"' },
  l: {
    kind: 'log',
    line: '2026-11-29T17:08:34.965Z warning the connection to the model was lost callId=1 reason="cut"',
  },
  u: failed('Session not found for thread_id: zzzz. The newest is 8. Start one with the tool codex.'),
  n: failed('ok\n\nNot done: `a`: the client declined it\n\nNot done: `b`: the client declined it'),
  a: failed('ok\n\nNot done: `a`: the client cannot be asked (it declared no elicitation)'),
  s: failed('The turn was stopped.\n`a`: late\n`b`: the client declined it'),
  c: line({
    id: 2,
    result: {
      content: [{ type: 'text', text: 'more' }],
      structuredContent: { threadId: 'T', content: 'done', commands: 1, notDone: [] },
    },
  }),
  f: failed('no model'),
  e: line({ id: 0, error: { code: -32600, message: 'no' } }),
  x: { kind: 'ended', trouble: '' },
  d: { kind: 'ended', trouble: 'the server was ended by SIGKILL' },
};

const failure = (text: string): Shown => ({ kind: 'result', text, isError: true, work: {} });

const shown: Record<string, Shown> = {
  P: { kind: 'progress', text: 'thinking' },
  Q: { kind: 'progress', text: 'running: ls' },
  G: { kind: 'log', text: 'a warning' },
  C: { kind: 'result', text: 'done', isError: false, threadId: 'T', work: { commands: 1, notDone: [] } },
  F: failure('no model'),
  U: failure(
    'Session not found for thread_id: zzzz. The newest is 8. codex-rx run PROMPT starts one, codex-rx threads lists them.',
  ),
  M: failure('ok\n\nNot done: `a`: you declined it\n\nNot done: `b`: you declined it'),
  A: failure('ok\n\nNot done: `a`: nobody can be asked without a terminal'),
  S: failure('The turn was stopped.\n`a`: late\n`b`: you declined it'),
  E: { kind: 'trouble', text: 'no' },
  D: { kind: 'trouble', text: 'the server was ended by SIGKILL' },
  N: { kind: 'trouble', text: 'the server ended before the turn was done' },
};

/** A client that sends nothing. */
const client: OperatorFunction<string, string> = (line$) => line$.pipe(ignoreElements());

describe('runTurn', () => {
  it.each([
    ['--i-p-c-x|', '----P-C--|', 'progress and the result'],
    ['-ppqp-c|  ', '-P-QP-C|  ', 'each progress once'],
    ['-g-f-d|   ', '-G-F--|   ', 'a failure, and nothing of the end after it'],
    ['-t-r-f-x| ', '-----F--|  ', 'a failure once, though the log has it too'],
    ['-l-p-c-x| ', '---P-C--| ', 'a lost connection once, though the log has it too'],
    ['-u-x|     ', '-U--|     ', 'the commands that list and start threads'],
    ['-n-x|     ', '-M--|     ', 'what the person declined'],
    ['-a-x|     ', '-A--|     ', 'why nobody was asked'],
    ['-s-x|     ', '-S--|     ', 'what the person declined, if the turn was stopped'],
    ['-e-d|     ', '-E--|     ', 'an error'],
    ['-p-d|     ', '-P-D|     ', 'why the server ended'],
    ['-p-x|     ', '-P--(N|)  ', 'that the server ended too early'],
    ['---       ', '---       ', 'nothing as long as nothing comes'],
  ])('%s shows %s: %s', (sent, expected) =>
    marbles(({ cold, expectObservable }) => {
      expectObservable(runTurn(client, () => cold(sent.trim(), events))).toBe(expected.trim(), shown);
    })(),
  );
});
