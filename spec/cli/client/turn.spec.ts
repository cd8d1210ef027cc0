import { ignoreElements, type OperatorFunction } from 'rxjs';
import { runTurn, type Shown } from '../../../src/cli/client/turn';
import type { ServerEvent } from '../../../src/io/serverProcess/serverProcess';
import { marbles } from '../../support/marbles';

const line = (message: object): ServerEvent => ({ kind: 'line', line: JSON.stringify({ jsonrpc: '2.0', ...message }) });
const progress = (message: string) => line({ method: 'notifications/progress', params: { progressToken: 1, message } });

const events: Record<string, ServerEvent> = {
  i: line({ id: 0, result: { capabilities: {} } }),
  p: progress('thinking'),
  q: progress('running: ls'),
  g: { kind: 'log', line: 'a warning' },
  c: line({
    id: 2,
    result: { content: [{ type: 'text', text: 'more' }], structuredContent: { threadId: 'T', content: 'done' } },
  }),
  f: line({ id: 2, result: { content: [{ type: 'text', text: 'no model' }], isError: true } }),
  e: line({ id: 0, error: { code: -32600, message: 'no' } }),
  x: { kind: 'ended', trouble: '' },
  d: { kind: 'ended', trouble: 'the server was ended by SIGKILL' },
};

const shown: Record<string, Shown> = {
  P: { kind: 'progress', text: 'thinking' },
  Q: { kind: 'progress', text: 'running: ls' },
  G: { kind: 'log', text: 'a warning' },
  C: { kind: 'result', text: 'done', isError: false, threadId: 'T' },
  F: { kind: 'result', text: 'no model', isError: true },
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
