import {
  asapScheduler,
  concatMap,
  defer,
  delay,
  EMPTY,
  lastValueFrom,
  merge,
  NEVER,
  type Observable,
  of,
  queueScheduler,
  scheduled,
  throwError,
  toArray,
} from 'rxjs';
import { listTools } from '../../../src/agent/toolServers/listTools';
import { openToolServer, startedWithin, strayLines } from '../../../src/agent/toolServers/openToolServer';
import { NotStarted } from '../../../src/agent/toolServers/toolServer';
import type { JsonObject } from '../../../src/protocol/jsonrpc/json';
import type { RpcIncoming, RpcOutgoing } from '../../../src/protocol/rpc/messages';
import { marbles } from '../../support/marbles';
import { note, peerOf } from './support';

type Incoming = RpcIncoming<JsonObject>;
type Answers = (request: Extract<RpcOutgoing, { kind: 'request' }>) => Observable<Incoming>;

const tool = (name: string) => ({ name, inputSchema: {} });
const answer = (id: unknown, result: JsonObject): Incoming => ({ kind: 'response', id, result }) as Incoming;
const well: Answers = ({ id, method }) =>
  of(answer(id, method === 'initialize' ? { serverInfo: { name: 's' } } : { tools: [tool('a')] })).pipe(delay(2));

const opened = (answers: Answers, incoming$: Observable<Incoming> = NEVER, sent: RpcOutgoing[] = []) =>
  openToolServer({
    name: 's',
    version: '1',
    startTimeoutMs: 20,
    toolTimeoutMs: 20,
    starts: queueScheduler,
    transport: (out$) =>
      merge(
        out$.pipe(
          concatMap((message) => {
            sent.push(message);
            return message.kind === 'request' ? answers(message) : EMPTY;
          }),
        ),
        incoming$,
      ),
  });
const S = expect.objectContaining({ tools: [expect.objectContaining({ name: 'a' })] });
const failure = (message: string) => expect.objectContaining({ name: 'NotStarted', message });

describe('openToolServer', () => {
  it(
    'emits the server when its tools are known, and again when they have changed',
    marbles(({ hot, expectObservable }) => {
      const incoming$ = hot<Incoming>('----------c---', { c: note('notifications/tools/list_changed') });
      expectObservable(opened(well, incoming$)).toBe('----S-------S', { S });
    }),
  );

  it(
    'keeps the tools it had when the new ones cannot be read',
    marbles(({ hot, expectObservable }) => {
      const incoming$ = hot<Incoming>('----------c---c---', { c: note('notifications/tools/list_changed') });
      let lists = 0;
      const busy: Answers = (request) =>
        request.method === 'tools/list' && ++lists === 2
          ? of({ kind: 'response', id: request.id, error: { code: -32603, message: 'busy' } } as Incoming)
          : well(request);
      expectObservable(opened(busy, incoming$)).toBe('----S-----------S', { S });
    }),
  );

  it(
    'lists once at a time, however often the tools change, and again where a list is not answered in time, which is cancelled',
    marbles(({ hot, expectObservable, flush }) => {
      const changed = { c: note('notifications/tools/list_changed') };
      const incoming$ = hot<Incoming>('----------ccccc', changed);
      const sent: RpcOutgoing[] = [];
      const lists = () =>
        sent.flatMap((message) => (message.kind === 'request' && message.method === 'tools/list' ? [message] : []));
      const mute: Answers = (request) =>
        request.method === 'tools/list' && lists().length === 2 ? EMPTY : well(request);
      expectObservable(opened(mute, incoming$, sent)).toBe('----S 27ms S', { S });
      flush();
      expect(lists()).toHaveLength(3);
      const params = { requestId: lists()[1]?.id, reason: 'the result is no longer needed' };
      expect(sent.slice(-2)).toEqual([note('notifications/cancelled', params), lists()[2]]);
    }),
  );

  it.each<[string, Answers, string, string]>([
    ['a server that says nothing', () => EMPTY, '20ms #', 'it did not answer within 0.02 s'],
    ['a server that dies at once', () => throwError(() => new Error('exit code 3')), '#', 'exit code 3'],
    [
      'a server that is codex-rx',
      ({ id }) => of(answer(id, { serverInfo: { name: 'codex-rx' } })),
      '#',
      'it is codex-rx itself, which cannot be a tool of its own',
    ],
    [
      'a server that refuses',
      ({ id }) => of({ kind: 'response', id, error: { code: -32602, message: 'too old' } } as Incoming),
      '#',
      'too old',
    ],
  ])('errors for %s', (_, answers, expected, message) =>
    marbles(({ expectObservable }) => {
      expectObservable(opened(answers)).toBe(expected, {}, failure(message));
    })(),
  );

  it(
    'errors as it is when it dies later',
    marbles(({ hot, expectObservable }) => {
      const incoming$ = hot<Incoming>('------#', {}, new Error('exit code 9'));
      expectObservable(opened(well, incoming$)).toBe('----S-#', { S }, new Error('exit code 9'));
    }),
  );

  it('answers what it is asked while no call is open', () => {
    const sent: RpcOutgoing[] = [];
    marbles(({ hot, expectObservable }) => {
      const ask = (id: number, method: string): Incoming => ({ kind: 'request', id, method, params: {} });
      const incoming$ = hot<Incoming>('-----abcu|', {
        a: ask(1, 'ping'),
        b: ask(2, 'elicitation/create'),
        c: ask(3, 'roots/list'),
        u: { ...ask(4, 'elicitation/create'), params: { mode: 'url', url: 'https://x.org', message: 'm' } } as Incoming,
      });
      expectObservable(opened(well, incoming$, sent), '----------!').toBe('----S', { S });
    })();
    expect(sent.filter(({ kind }) => kind === 'response')).toEqual([
      { kind: 'response', id: 1, result: {} },
      { kind: 'response', id: 2, result: { action: 'decline' } },
      { kind: 'response', id: 3, error: { code: -32601, message: 'Method not found: roots/list' } },
      {
        kind: 'response',
        id: 4,
        error: { code: -32602, message: expect.stringContaining('params.mode must be "form"') },
      },
    ]);
  });
});

describe('listTools', () => {
  const pages = (...all: JsonObject[]) => {
    const left = [...all];
    const { peer, requests } = peerOf(NEVER, {
      'tools/list': defer(() => scheduled([left.shift() ?? {}], asapScheduler)),
    });
    return { peer, requests };
  };

  it.each<[string, JsonObject[], string[], number]>([
    ['one page', [{ tools: [tool('a'), tool('b')] }], ['a', 'b'], 1],
    ['page by page', [{ tools: [tool('a')], nextCursor: 'x' }, { tools: [tool('b')] }], ['a', 'b'], 2],
    ['no tools', [{}], [], 1],
    ['what has no name', [{ tools: [7, { name: 3 }, { name: '' }, tool('a')] }], ['a'], 1],
    ['a cursor that never ends', Array.from({ length: 200 }, () => ({ tools: [], nextCursor: 'on' })), [], 100],
  ])('takes %s', async (_, answers, names, count) => {
    const { peer, requests } = pages(...answers);
    const lists = await lastValueFrom(listTools(peer, queueScheduler).pipe(toArray()));
    expect(lists.map((tools) => tools.map(({ name }) => name))).toEqual([names]);
    expect(requests.length).toBeGreaterThanOrEqual(count);
    expect(requests.length).toBeLessThanOrEqual(count + 1);
  });
});

const fault = (line?: string): RpcIncoming => ({ kind: 'fault', ...(line !== undefined && { line }) });
const values = {
  m: { kind: 'notification', method: 'm', params: {} } as RpcIncoming,
  f: fault('up\n'),
  g: fault(),
  b: fault(' '),
};

describe('strayLines', () => {
  it('passes everything, and quotes what is no message, in one connection', () => {
    const { note, quoted } = strayLines();
    marbles(({ hot, expectObservable }) => {
      expectObservable(note(hot('mfgbf|', values))).toBe('mfgbf|', values);
    })();
    expect(quoted()).toBe(
      '. It wrote "up | up" to stdout, which is for messages alone; make it log to stderr, or start it without what writes that',
    );
    expect(strayLines().quoted()).toBe('');
  });

  it('quotes the first four lines', () => {
    const { note, quoted } = strayLines();
    marbles(({ hot, expectObservable }) => {
      expectObservable(note(hot('ffffffff#', values))).toBe('ffffffff#', values);
    })();
    expect(quoted()).toContain('"up | up | up | up"');
  });

  it.each(['-', '|', '#'])('passes %s', (row) =>
    marbles(({ hot, expectObservable }) => {
      expectObservable(strayLines().note(hot<RpcIncoming>(row))).toBe(row);
    })(),
  );
});

const quoted = () => '';
const late = new NotStarted('it did not answer within 0.005 s');
const broken = new Error('it ended.');

describe('startedWithin', () => {
  it.each([
    ['a server in time', '  --S---|', '--S---|', undefined],
    ['one that changes', '  --S-------S-|', '--S-------S-|', undefined],
    ['one that never is', ' -', '-----#', late],
    ['one that is late', '  -------S', '-----#', late],
    ['one that breaks', '   --#', '--#', new NotStarted('it ended.')],
    ['one that breaks later', '--S-------#', '--S-------#', broken],
    ['no server', '--|', '-----#', late],
  ])('knows %s', (_, source, expected, error) =>
    marbles(({ hot, expectObservable }) => {
      const server$ = hot(source, undefined, broken).pipe(startedWithin({ ms: 5, quoted }));
      expectObservable(server$).toBe(expected, undefined, error);
    })(),
  );

  it(
    'adds what the server wrote to a reason, and stops with its reader',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const within = startedWithin<string>({ ms: 5, quoted: () => '. It wrote "x"' });
      expectObservable(hot<string>('--#', {}, broken).pipe(within)).toBe(
        '--#',
        {},
        new NotStarted('it ended. It wrote "x"'),
      );
      const silent$ = hot<string>('-');
      expectObservable(silent$.pipe(within), '---!').toBe('-');
      expectSubscriptions(silent$.subscriptions).toBe('^--!');
    }),
  );
});
