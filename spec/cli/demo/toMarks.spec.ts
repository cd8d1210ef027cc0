import { map, timestamp } from 'rxjs';
import {
  collapseDeltas,
  eventMarble,
  type Look,
  lookOfReceived,
  lookOfSent,
  type Mark,
  plain,
  quoted,
  toMarks,
} from '../../../src/cli/demo/toMarks';
import type { ServerEvent } from '../../../src/io/serverProcess/serverProcess';
import type { Message, RequestId } from '../../../src/protocol/jsonrpc/messages';
import type { Traffic } from '../../../src/streams/connectPeers';
import { marbles } from '../../support/marbles';
import { delta, mark } from './marks';
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

/** The words of this Node for text that is not JSON. */
function parseError(): string {
  try {
    return JSON.parse('no json');
  } catch (error) {
    return `Parse error: ${(error as Error).message}`;
  }
}

const a = mark({ lane: 'request', symbol: 'c' });

const b = mark({ lane: 'answer', symbol: 'C' });

const [d, e, f] = [delta('Hel', 2), delta('lo ', 3), delta('there', 4)];

const o = { ...delta('out', 5), name: 'exec_command_output_delta' };

const D = { ...d, untilMs: 4, count: 3, delta: 'Hello there', text: '"Hello there"' };

const E = { ...e, text: '"lo"' };

const O = { ...o, text: '"out"' };

const all = { a, b, d, e, f, o, D, E, O };

const base64 = (text: string) => Buffer.from(text).toString('base64');

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
        g: '6 <   log stderr warning: \\x1b[31mred',
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

describe('collapseDeltas', () => {
  it(
    'emits a run of deltas as one, when something else comes',
    marbles(({ hot, expectObservable }) => {
      const mark$ = hot('a-def--b---|', all);
      const expected = ' a------(Db)|';
      expectObservable(mark$.pipe(collapseDeltas())).toBe(expected, all);
    }),
  );

  it(
    'emits the run that has grown when the source completes',
    marbles(({ hot, expectObservable }) => {
      const mark$ = hot('-def-|', all);
      const expected = ' -----(D|)';
      expectObservable(mark$.pipe(collapseDeltas())).toBe(expected, all);
    }),
  );

  it(
    'keeps deltas of different kinds apart',
    marbles(({ hot, expectObservable }) => {
      const mark$ = hot('-eo--|', all);
      const expected = ' --E--(O|)';
      expectObservable(mark$.pipe(collapseDeltas())).toBe(expected, all);
    }),
  );

  it(
    'passes never, nothing and errors on',
    marbles(({ hot, cold, expectObservable }) => {
      expectObservable(hot<typeof a>('-').pipe(collapseDeltas())).toBe('-');
      expectObservable(cold<typeof a>('-|').pipe(collapseDeltas())).toBe('-|');
      expectObservable(hot('-ad#', all).pipe(collapseDeltas())).toBe('-a-#', all);
    }),
  );

  it(
    'stops its source early',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const mark$ = hot(' a-a-a-', all);
      const unsub = '    ---!';
      expectObservable(mark$.pipe(collapseDeltas()), unsub).toBe('a-a-', all);
      expectSubscriptions(mark$.subscriptions).toBe('^--!');
    }),
  );
});

describe('mark', () => {
  const short = ({ lane, symbol, name, text }: Look): string => `${lane} ${symbol} ${name} ${text}`.trim();

  const request = (method: string, params: object = {}) => ({ kind: 'request', id: 1, method, params }) as Message;

  const notification = (method: string, params: object = {}) => ({ kind: 'notification', method, params }) as Message;

  const response = (result: object, id: RequestId = 1) => ({ kind: 'response', id, result }) as Message;

  describe('lookOfSent', () => {
    it.each<[Message, string]>([
      [request('initialize', { clientInfo: { name: 'user', version: '1' } }), 'request i initialize user 1'],
      [
        request('initialize', { capabilities: { elicitation: {} } }),
        'request i initialize a client that can ask a person',
      ],
      [request('tools/list'), 'request l tools/list'],
      [request('tools/call', { name: 'codex', arguments: { prompt: 'go' } }), 'request c tools/call codex "go"'],
      [request('tools/call', { name: 'add', arguments: { a: 1 } }), 'request r tools/call add {"a":1}'],
      [request('resources/Read'), 'request r resources/Read'],
      [notification('notifications/initialized'), 'request n notifications/initialized'],
      [response({ action: 'accept' }), 'question y yes the person lets it run'],
      [response({ action: 'decline' }), 'question x no the person does not let it run'],
    ])('draws %j', (message, look) => expect(short(lookOfSent(message))).toBe(look));

    it('draws a name that has no text', () => {
      const odd = lookOfSent(request('tools/call', { name: { toString: 1 } }));
      expect(short(odd)).toMatch(/^request r tools\/call \{"toString":1\}/);
    });
  });

  describe('lookOfReceived', () => {
    const open = new Map([[1, lookOfSent(request('tools/call', { name: 'codex', arguments: {} }))]]);

    it.each<[Message, string]>([
      [request('elicitation/create', { message: 'Run it?' }), 'question Q elicitation/create Run it?'],
      [notification('notifications/progress', { message: 'half' }), 'progress P progress half'],
      [notification('notifications/message'), 'event N notifications/message'],
      [
        response({ content: [{ type: 'text', text: '3' }, { type: 'image' }] }),
        'answer C tools/call codex "3 ⏎ [image]"',
      ],
      [response({ content: [], isError: true }), 'answer C tools/call codex {"content":[],"isError":true}'],
      [response({ tools: [{ name: 'a' }, { name: 'b' }] }, 2), 'answer ? answer a, b'],
      [
        { kind: 'response', id: 1, error: { code: -1, message: 'no' } } as Message,
        'answer C tools/call codex error -1: no',
      ],
    ])('draws %j', (message, look) => expect(short(lookOfReceived(message, open))).toBe(look));

    it('shows the text of a question as a whole', () => {
      expect(lookOfReceived(request('elicitation/create', { message: 'Run it?' }), open).whole).toBe(true);
    });
  });
});

describe('eventMarble', () => {
  it.each([
    [
      { type: 'session_configured', model: 'm', model_provider_id: 'p' },
      { symbol: 'S', text: 'm of p' },
    ],
    [{ type: 'task_started' }, { symbol: 'B', text: '' }],
    [
      { type: 'agent_message_delta', delta: 'a' },
      { symbol: 'D', text: '', delta: 'a' },
    ],
    [
      { type: 'exec_approval_request', command: ['ls', '-l'] },
      { symbol: 'A', text: 'ls -l' },
    ],
    [
      { type: 'exec_command_begin', command: 'ls' },
      { symbol: 'X', text: 'ls' },
    ],
    [
      { type: 'exec_command_output_delta', chunk: base64('ü') },
      { symbol: 'O', text: '', delta: 'ü' },
    ],
    [
      { type: 'exec_command_end', exit_code: 3 },
      { symbol: 'E', text: 'exit code 3' },
    ],
    [
      { type: 'token_count', input_tokens: 1, output_tokens: 2 },
      { symbol: 'U', text: '1 in, 2 out' },
    ],
    [{ type: 'task_complete' }, { symbol: 'Z', text: '' }],
    [
      { type: 'turn_aborted', reason: 'interrupted' },
      { symbol: 'K', text: 'interrupted' },
    ],
    [
      { type: 'error', message: 'a\u001b[2Jb' },
      { symbol: 'F', text: expect.not.stringContaining('\u001b') },
    ],
    [{ type: 'new_event' }, { symbol: 'V', text: '' }],
    [{ type: 'toString' }, { symbol: 'V', text: '' }],
  ])('draws %j', (msg, expected) => {
    expect(eventMarble(msg)).toEqual({ ...expected, name: msg.type });
  });

  it('quotes a message', () => {
    expect(eventMarble({ type: 'agent_message', message: 'hi' })).toMatchObject({ symbol: 'M', text: '"hi"' });
  });

  it('draws a command whose words have no text', () => {
    expect(eventMarble({ type: 'exec_command_begin', command: ['ls', { toString: 1 }] }).text).toContain(
      '{"toString":1}',
    );
  });
});

describe('plain', () => {
  it('shows line breaks, and what a terminal would obey', () => {
    expect(plain('a\nb\r\nc\u001b[2J\u0007\u202e\n')).toBe('a ⏎ b ⏎ c\\x1b[2J\\x07\\u202e');
  });
});

describe('quoted', () => {
  it('puts a text in quotes, and nothing in empty ones', () => {
    expect([quoted('a\nb'), quoted(undefined)]).toEqual(['"a ⏎ b"', '""']);
  });
});
