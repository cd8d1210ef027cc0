import type { PlaybackEvent } from '../../../src/tapes/replayServer/playbackSession';
import { type ReplayOptions, replayServer, separateProgress } from '../../../src/tapes/replayServer/replayServer';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { marbles } from '../../support/marbles';
import { sessionFrom } from '../../support/tapes';

const call = (id: unknown, name: string, more: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, ...more },
});
const answer = (id: unknown, result: unknown) => ({ jsonrpc: '2.0', id, result });
const event = (requestId: unknown, type: string) => ({
  jsonrpc: '2.0',
  method: 'codex/event',
  params: { _meta: { requestId }, msg: { type } },
});
const question = { jsonrpc: '2.0', id: 0, method: 'elicitation/create', params: { message: 'may it?' } };
const yes = { action: 'accept' };
const no = { action: 'decline' };

const text = (message: object): string => JSON.stringify(message);
const max: ReplayOptions = { speed: 'max', repeat: 'once', match: 'strict' };
/** What is played, without its times: these show in the marbles. */
const line = (message: object): object => expect.objectContaining({ kind: 'line', line: text(message) });
const unrecorded = (pattern: RegExp): object => ({ kind: 'unrecorded', text: expect.stringMatching(pattern) });
const error = (id: unknown, words: string): object =>
  expect.objectContaining({
    kind: 'line',
    line: expect.stringMatching(
      `^{"jsonrpc":"2.0","id":${id},"error":{"code":-32050,"message":"Not recorded: .*${words}`,
    ),
  });
const rest = {
  kind: 'unplayed',
  text: expect.stringMatching(/^(?:1 recorded line|(?!1 )\d+ recorded lines) of the client never came/),
};

/** Two calls one after the other, the first with an event on its way. */
const two = toSessionIndex(
  sessionFrom(
    [10, 'in', call(1, 'a')],
    [12, 'out', event(1, 'begun')],
    [16, 'out', answer(1, 'A')],
    [20, 'in', call(2, 'b')],
    [24, 'out', answer(2, 'B')],
  ),
);
const fromServer = { e: line(event(1, 'begun')), A: line(answer(1, 'A')), B: line(answer(2, 'B')), z: rest };
const fromClient = { a: text(call(1, 'a')), b: text(call(2, 'b')), o: text(call(3, 'other')), n: 'no message' };

/** A call that asks its client. */
const asking = toSessionIndex(
  sessionFrom(
    [0, 'in', call(1, 'a')],
    [2, 'out', question],
    [9, 'in', answer(0, yes)],
    [10, 'out', event(1, 'run')],
    [12, 'out', answer(1, 'A')],
  ),
);

describe('replayServer', () => {
  it(
    'sends what was recorded, under the ids of this client',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('  -a---b-|', { a: text(call('x', 'a')), b: text(call(9, 'b')) });
      const expected = '   -(eA)B-|';
      expectObservable(line$.pipe(replayServer(two, max))).toBe(expected, {
        e: line(event('x', 'begun')),
        A: line(answer('x', 'A')),
        B: line(answer(9, 'B')),
      });
    }),
  );

  it(
    'echoes an id that no double can hold',
    marbles(({ hot, expectObservable }) => {
      const exactly = (line: string) => line.replace('"id":2', '"id":9007199254740993');
      const line$ = hot('  -b-|', { b: exactly(fromClient.b) });
      const expected = '   -B-(z|)';
      const exact = expect.objectContaining({ line: exactly(text(answer(2, 'B'))) });
      expectObservable(line$.pipe(replayServer(two, max))).toBe(expected, { B: exact, z: rest });
    }),
  );

  it(
    'puts the progress token of this client in place of the recorded one',
    marbles(({ hot, expectObservable }) => {
      const progress = (progressToken: unknown) => ({ method: 'notifications/progress', params: { progressToken } });
      const asked = (token: unknown) => call(1, 'a', { _meta: { progressToken: token } });
      const recording = toSessionIndex(sessionFrom([0, 'in', asked('old')], [1, 'out', progress('old')]));
      const line$ = hot('  -a-|', { a: text(asked(7)) });
      const expected = '   -P-|';
      expectObservable(line$.pipe(replayServer(recording, max))).toBe(expected, { P: line(progress(7)) });
    }),
  );

  it(
    'keeps the recorded pace, or a faster one',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('   -a----------b-----|', fromClient);
      const asRecorded = '  ---e---A--------B-|';
      const twice = '       --e-A---------B---|';
      expectObservable(line$.pipe(replayServer(two, { speed: 1, repeat: 'once', match: 'strict' }))).toBe(
        asRecorded,
        fromServer,
      );
      expectObservable(line$.pipe(replayServer(two, { speed: 2, repeat: 'once', match: 'strict' }))).toBe(
        twice,
        fromServer,
      );
    }),
  );

  it(
    'answers calls that did not overlap in any order, also when one never comes',
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('-b--a---|', fromClient).pipe(replayServer(two, max))).toBe('-B--(eA)|', fromServer);
      expectObservable(hot('-b------|', fromClient).pipe(replayServer(two, max))).toBe('-B------(z|)', fromServer);
    }),
  );

  it(
    'keeps the order of calls that did overlap',
    marbles(({ hot, expectObservable }) => {
      const recording = toSessionIndex(
        sessionFrom(
          [0, 'in', call(1, 'a')],
          [1, 'in', call(2, 'b')],
          [2, 'out', answer(2, 'B')],
          [3, 'out', answer(1, 'A')],
        ),
      );
      const line$ = hot('  -a--b---|', fromClient);
      const expected = '   ----(BA)|';
      expectObservable(line$.pipe(replayServer(recording, max))).toBe(expected, fromServer);
    }),
  );

  it(
    'answers repeated calls in recorded order, and then no more; or from the first again',
    marbles(({ hot, expectObservable }) => {
      const recording = toSessionIndex(
        sessionFrom(
          [0, 'in', call(1, 'a')],
          [1, 'out', answer(1, 'A')],
          [2, 'in', call(2, 'a')],
          [3, 'out', answer(2, 'B')],
        ),
      );
      const line$ = hot('  -a-a-a---|', fromClient);
      const once = '       -A-C-(tX)|';
      const again = '      -A-C-A---(z|)';
      const values = {
        ...fromServer,
        C: line(answer(1, 'B')),
        t: unrecorded(/the same, but was sent fewer times/),
        X: error(1, 'fewer times'),
      };
      expectObservable(line$.pipe(replayServer(recording, max))).toBe(once, values);
      expectObservable(line$.pipe(replayServer(recording, { speed: 'max', repeat: 'again', match: 'strict' }))).toBe(
        again,
        values,
      );
    }),
  );

  it(
    'refuses what is not recorded, loudly, and names the nearest request',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('  -o---n--|', fromClient);
      const expected = '   -(tX)u--(z|)';
      expectObservable(line$.pipe(replayServer(two, max))).toBe(expected, {
        t: unrecorded(
          /^Not recorded: tools\/call other\. Nearest is line 1: tools\/call a; params\.name: recorded "a", now "other"$/,
        ),
        X: error(3, 'Nearest is line 1'),
        u: unrecorded(/^Not recorded: a line that is not a message/),
        z: rest,
      });
    }),
  );

  it(
    'takes a call for the nearest one of its tool where that will do, and reports it; not one of another tool',
    marbles(({ hot, expectObservable }) => {
      const prompted = (id: number, prompt: string) => call(id, 'a', { arguments: { prompt, cwd: '/w' } });
      const recording = toSessionIndex(
        sessionFrom(
          [0, 'in', prompted(1, 'one')],
          [1, 'out', answer(1, 'A')],
          [2, 'in', prompted(2, 'two')],
          [3, 'out', answer(2, 'B')],
        ),
      );
      const line$ = hot('  -p----o----p----p---|', { ...fromClient, p: text(prompted(2, 'two, please')) });
      const expected = '   -(gA)-(tX)-(hB)-(uY)|';
      expectObservable(line$.pipe(replayServer(recording, { ...max, match: 'nearest' }))).toBe(expected, {
        g: {
          kind: 'substituted',
          text: expect.stringMatching(/^tools\/call a is taken for line 1: tools\/call a; params\.arguments\.prompt: /),
        },
        A: line(answer(2, 'A')),
        t: unrecorded(/tools\/call other/),
        X: error(3, 'tools/call other'),
        h: { kind: 'substituted', text: expect.stringMatching(/is taken for line 3/) },
        B: line(answer(2, 'B')),
        u: unrecorded(/^Not recorded/),
        Y: error(2, 'tools/call a'),
      });
    }),
  );

  it(
    'takes the handshake of another client version for the recorded one, and reports it; not that of another protocol version',
    marbles(({ hot, expectObservable }) => {
      const init = (id: unknown, version: string, protocolVersion = '2025-06-18') => ({
        id,
        method: 'initialize',
        params: { protocolVersion, capabilities: {}, clientInfo: { name: 'c', version } },
      });
      const recording = toSessionIndex(sessionFrom([0, 'in', init(1, '1')], [1, 'out', answer(1, 'I')]));
      const line$ = hot('  -o----i---|', { i: text(init(7, '2')), o: text(init(3, '1', '2024-11-05')) });
      const expected = '   -(uX)-(sI)|';
      expectObservable(line$.pipe(replayServer(recording, max))).toBe(expected, {
        u: unrecorded(/protocolVersion: recorded "2025-06-18", now "2024-11-05"/),
        X: error(3, 'initialize'),
        s: {
          kind: 'substituted',
          text: expect.stringMatching(/^initialize is taken for line 1: initialize; params\.clientInfo\.version: /),
        },
        I: line(answer(7, 'I')),
      });
    }),
  );

  it(
    'never takes a resource for another one',
    marbles(({ hot, expectObservable }) => {
      const read = (id: number, uri: string) => ({ id, method: 'resources/read', params: { uri } });
      const recording = toSessionIndex(sessionFrom([0, 'in', read(1, 'a://1')], [1, 'out', answer(1, 'A')]));
      const line$ = hot('  -o---|', { o: text(read(1, 'a://2')) });
      const expected = '   -(uX)(z|)';
      expectObservable(line$.pipe(replayServer(recording, { ...max, match: 'nearest' }))).toBe(expected, {
        u: unrecorded(/params\.uri/),
        X: error(1, 'resources/read'),
        z: rest,
      });
    }),
  );

  it(
    'lets ids and times differ in a response of its client',
    marbles(({ hot, expectObservable }) => {
      const reply = (id: string, at: string) => answer(0, { ...yes, content: { id, at } });
      const recording = toSessionIndex(
        sessionFrom(
          [0, 'in', call(1, 'a')],
          [2, 'out', question],
          [9, 'in', reply('0a1b2c3d-0000-4000-8000-000000000001', '2026-01-01T00:00:00Z')],
          [12, 'out', answer(1, 'A')],
        ),
      );
      const line$ = hot('  -a--y-|', {
        a: fromClient.a,
        y: text(reply('ffffffff-0000-4000-8000-000000000009', '2026-11-22T12:00:00Z')),
      });
      const expected = '   -Q--A-|';
      expectObservable(line$.pipe(replayServer(recording, max))).toBe(expected, { ...fromServer, Q: line(question) });
    }),
  );

  it(
    'asks what was asked, and goes on when the answer is the recorded one',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('  -a--y---|', { a: fromClient.a, y: text(answer(0, yes)) });
      const expected = '   -Q--(rA)|';
      expectObservable(line$.pipe(replayServer(asking, max))).toBe(expected, {
        ...fromServer,
        Q: line(question),
        r: line(event(1, 'run')),
      });
    }),
  );

  it(
    'fails the call when its client answers otherwise',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('  -a--n---|', { a: text(call(5, 'a')), n: text(answer(0, no)) });
      const expected = '   -Q--(tX)(z|)';
      expectObservable(line$.pipe(replayServer(asking, max))).toBe(expected, {
        Q: line(question),
        t: unrecorded(/response\.result\.action: recorded "accept", now "decline"$/),
        X: error(5, 'this response to line 2: elicitation/create'),
        z: rest,
      });
    }),
  );

  it(
    'sends what follows a cancel only after it, whatever the id is now',
    marbles(({ hot, expectObservable }) => {
      const cancel = (requestId: unknown) => ({ method: 'notifications/cancelled', params: { requestId } });
      const recording = toSessionIndex(
        sessionFrom(
          [0, 'in', call(1, 'a')],
          [1, 'out', event(1, 'begun')],
          [2, 'in', cancel(1)],
          [3, 'out', event(1, 'aborted')],
        ),
      );
      const line$ = hot('  -a--c-|', { a: text(call('x', 'a')), c: text(cancel('x')) });
      const expected = '   -e--x-|';
      expectObservable(line$.pipe(replayServer(recording, max))).toBe(expected, {
        e: line(event('x', 'begun')),
        x: line(event('x', 'aborted')),
      });
    }),
  );

  it(
    'sends what was sent before any input, and after the end of input',
    marbles(({ hot, expectObservable }) => {
      const [hello, bye] = [{ method: 'hello' }, { method: 'bye' }];
      const recording = toSessionIndex(
        sessionFrom([3, 'out', hello], [5, 'in', call(1, 'a')], [6, 'note', 'standard input closed'], [9, 'out', bye]),
      );
      const line$ = hot('  -----a--|', fromClient);
      const expected = '   ---H-------(B|)';
      const values = { H: line(hello), B: line(bye) };
      expectObservable(line$.pipe(replayServer(recording, { speed: 1, repeat: 'once', match: 'strict' }))).toBe(
        expected,
        values,
      );
    }),
  );

  it(
    'breaks as its source does, and stops with its listener',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const line$ = hot('  -a---#', fromClient);
      const expected = '   -(eA)#';
      expectObservable(line$.pipe(replayServer(two, max))).toBe(expected, fromServer);
      expectObservable(line$.pipe(replayServer(two, { speed: 1, repeat: 'once', match: 'strict' })), '^---!').toBe(
        '---e',
        fromServer,
      );
      expectSubscriptions(line$.subscriptions).toBe(['^----!', '^---!']);
    }),
  );
});

describe('separateProgress', () => {
  const line = (message: object): PlaybackEvent => ({
    kind: 'line',
    line: JSON.stringify(message),
    fromMs: 0,
    afterMs: 0,
  });
  const values: Record<string, PlaybackEvent> = {
    p: line({ method: 'notifications/progress', params: { progress: 1 } }),
    n: line({ method: 'notifications/message' }),
    R: line({ id: 1, result: {} }),
    S: line({ id: 2, result: {} }),
    z: { kind: 'unplayed', text: '' },
  };

  it.each([
    ['lets a response wait after progress', '-(pR)-----|', '-p----R---|'],
    ['counts what is between them as well', '-(pnR)----|', '-(pn)-R---|'],
    ['waits once for all progress before', '-(pRSz)------|', '-p----(RSz)--|'],
    ['keeps the order of what comes meanwhile', '-(pR)pS-------|', '-p----(Rp)-S--|'],
    ['passes a response without progress', '-(RpnS)---|', '-(Rpn)S---|'],
    ['completes after the last response', '-(pR|)', '-p----(R|)'],
    ['errors with the source', '-(pR)--#', '-p----R#'],
    ['is empty as its source is', '--|', '--|'],
  ])('%s', (_, source, expected) =>
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot(source, values).pipe(separateProgress())).toBe(expected, values);
    })(),
  );

  it(
    'stops with its subscriber',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const event$ = hot('-(pR)-', values);
      const unsubscribed = '---!';
      expectObservable(event$.pipe(separateProgress()), unsubscribed).toBe('-p--', values);
      expectSubscriptions(event$.subscriptions).toBe('^--!');
    }),
  );
});
