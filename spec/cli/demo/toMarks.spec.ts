import { map, timestamp } from 'rxjs';
import type { Mark } from '../../../src/cli/demo/toMarks';
import { toMarks } from '../../../src/cli/demo/toMarks';
import type { ServerEvent } from '../../../src/io/serverProcess/serverProcess';
import type { Traffic } from '../../../src/streams/connectPeers';
import { marbles } from '../../support/marbles';
import { received, sent } from './wire';

const near = (item: string): Traffic<string, ServerEvent> => ({ from: 'near', item });
const far = (line: string): Traffic<string, ServerEvent> => ({ from: 'far', item: { kind: 'line', line } });

const traffic: Record<string, Traffic<string, ServerEvent>> = {
  ...Object.fromEntries(Object.entries(sent).map(([name, line]) => [name, near(line)])),
  ...Object.fromEntries(Object.entries(received).map(([name, line]) => [name, far(line)])),
  g: { from: 'far', item: { kind: 'log', line: 'warning: \u001b[31mred' } },
  z: { from: 'far', item: { kind: 'ended', trouble: '' } },
  q: far('no json'),
};

const line = (message: object): string => JSON.stringify({ jsonrpc: '2.0', ...message });
const anyServer: Record<string, Traffic<string, ServerEvent>> = {
  v: near(line({ id: 0, method: 'initialize', params: { clientInfo: { name: 'user', version: '1' } } })),
  a: near(line({ id: 1, method: 'tools/call', params: { name: 'add', arguments: { a: 1 } } })),
  b: far(
    line({
      id: 1,
      result: {
        content: [
          { type: 'text', text: '3' },
          { type: 'image', data: '' },
        ],
      },
    }),
  ),
  c: near(line({ id: 2, method: 'tools/call', params: { name: 'now' } })),
  d: far(line({ id: 2, result: { content: [] } })),
};

/** What is drawn, in short: time, direction, marble, lane, name, text. */
const short = { i: '0 > i request initialize a client that can ask a person' };

describe('toMarks', () => {
  const see = toMarks();
  const inShort = map(({ atMs, sent: isSent, symbol, lane, name, text }: Mark) =>
    `${atMs} ${isSent ? '>' : '<'} ${symbol} ${lane} ${name} ${text}`.trim(),
  );

  it(
    'draws requests and their answers by the marble of the request, times from the first message',
    marbles(({ hot, expectObservable }) => {
      const traffic$ = hot('  ---i-I-l-L-c-C-|', traffic);
      const expected = '   ---i-I-l-L-c-C-|';
      expectObservable(traffic$.pipe(timestamp(), see, inShort)).toBe(expected, {
        ...short,
        I: '2 < I answer initialize server 1, speaks 2025-11-25',
        l: '4 > l request tools/list',
        L: '6 < L answer tools/list codex, codex-reply',
        c: '8 > c request tools/call codex "Write a greeting into hello.txt, then show me the file."',
        C: '10 < C answer tools/call codex "done"',
      });
    }),
  );

  it(
    'draws what comes while a call is under way',
    marbles(({ hot, expectObservable }) => {
      const traffic$ = hot('  cSPQyxg|', traffic);
      const expected = '   cSPQyxg|';
      expectObservable(traffic$.pipe(timestamp(), see, inShort)).toBe(expected, {
        c: '0 > c request tools/call codex "Write a greeting into hello.txt, then show me the file."',
        S: '1 < B event task_started',
        P: '2 < P progress progress thinking',
        Q: '3 < Q question elicitation/create Allow Codex to run `it`?',
        y: '4 > y question yes the person lets it run',
        x: '5 > x question no the person does not let it run',
        g: '6 <   log stderr warning: \\u001b[31mred',
      });
    }),
  );

  it(
    'draws the tools of any server: the client, arguments, the texts of results',
    marbles(({ hot, expectObservable }) => {
      const traffic$ = hot('  vab-cd|', anyServer);
      const expected = '   vab-cd|';
      expectObservable(traffic$.pipe(timestamp(), see, inShort)).toBe(expected, {
        v: '0 > i request initialize user 1',
        a: '1 > r request tools/call add {"a":1}',
        b: '2 < R answer tools/call add "3 ⏎ [image]"',
        c: '4 > r request tools/call now',
        d: '5 < R answer tools/call now {"content":[]}',
      });
    }),
  );

  it(
    'draws errors, failed calls and lines that are not messages; the end is no marble',
    marbles(({ hot, expectObservable }) => {
      const traffic$ = hot('  iE-cF-q-z|', traffic);
      const expected = '   iE-cF-q--|';
      expectObservable(traffic$.pipe(timestamp(), see, inShort)).toBe(expected, {
        ...short,
        E: '1 < I answer initialize error -32600: no',
        c: '3 > c request tools/call codex "Write a greeting into hello.txt, then show me the file."',
        F: '4 < C answer tools/call codex failed: "no model"',
        q: `6 < ! answer not understood ${parseError()}`,
      });
    }),
  );
});

/** The words of this Node for text that is not JSON. */
function parseError(): string {
  try {
    return JSON.parse('no json');
  } catch (error) {
    return `Parse error: ${(error as Error).message}`;
  }
}
