import { concatMap, delay, EMPTY, from, merge, NEVER, type Observable, of, throwError } from 'rxjs';
import type { Heard, Sent } from '../../src/executor';
import type { JsonObject } from '../../src/protocol/jsonrpc';
import { openToolServer } from '../../src/toolServers';
import { listTools } from '../../src/toolServers/listTools';
import { marbles } from '../support/marbles';
import { note, peerOf } from './support';

type Answers = (sent: Extract<Sent, { kind: 'request' }>) => Observable<Heard>;

const tool = (name: string) => ({ name, inputSchema: {} });
const answer = (id: unknown, result: JsonObject): Heard => ({ kind: 'response', id, result }) as Heard;
const well: Answers = ({ id, method }) =>
  of(answer(id, method === 'initialize' ? { serverInfo: { name: 's' } } : { tools: [tool('a')] })).pipe(delay(2));

const opened = (answers: Answers, word$: Observable<Heard> = NEVER, said: Sent[] = []) =>
  openToolServer({
    name: 's',
    version: '1',
    startTimeoutMs: 20,
    toolTimeoutMs: 20,
    transport: (out$) =>
      merge(
        out$.pipe(
          concatMap((sent) => {
            said.push(sent);
            return sent.kind === 'request' ? answers(sent) : EMPTY;
          }),
        ),
        word$,
      ),
  });
const S = expect.objectContaining({ tools: [expect.objectContaining({ name: 'a' })] });
const failure = (message: string) => expect.objectContaining({ name: 'NotStarted', message });

describe('openToolServer', () => {
  it(
    'emits the server when its tools are known, and again when they have changed',
    marbles(({ hot, expectObservable }) => {
      const word$ = hot<Heard>('----------c---', { c: note('notifications/tools/list_changed') });
      expectObservable(opened(well, word$)).toBe('----S-------S', { S });
    }),
  );

  it(
    'keeps the tools it had when the new ones cannot be read',
    marbles(({ hot, expectObservable }) => {
      const word$ = hot<Heard>('----------c---c---', { c: note('notifications/tools/list_changed') });
      let lists = 0;
      const busy: Answers = (sent) =>
        sent.method === 'tools/list' && ++lists === 2
          ? of({ kind: 'response', id: sent.id, error: { code: -32603, message: 'busy' } } as Heard)
          : well(sent);
      expectObservable(opened(busy, word$)).toBe('----S-----------S', { S });
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
      ({ id }) => of({ kind: 'response', id, error: { code: -32602, message: 'too old' } } as Heard),
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
      const word$ = hot<Heard>('------#', {}, new Error('exit code 9'));
      expectObservable(opened(well, word$)).toBe('----S-#', { S }, new Error('exit code 9'));
    }),
  );

  it('answers what it is asked while no call is open', () => {
    const said: Sent[] = [];
    marbles(({ hot, expectObservable }) => {
      const ask = (id: number, method: string): Heard => ({ kind: 'request', id, method, params: {} });
      const word$ = hot<Heard>('-----abc|', {
        a: ask(1, 'ping'),
        b: ask(2, 'elicitation/create'),
        c: ask(3, 'roots/list'),
      });
      expectObservable(opened(well, word$, said), '----------!').toBe('----S', { S });
    })();
    expect(said.filter(({ kind }) => kind === 'response')).toEqual([
      { kind: 'response', id: 1, result: {} },
      { kind: 'response', id: 2, result: { action: 'decline' } },
      { kind: 'response', id: 3, error: { code: -32601, message: 'Method not found: roots/list' } },
    ]);
  });
});

describe('listTools', () => {
  const pages = (...all: JsonObject[]) => {
    const left = [...all];
    const made = peerOf(NEVER, {});
    return {
      ...made,
      peer: {
        ...made.peer,
        ask: (_: string, params: JsonObject) => {
          made.asked.push(['tools/list', params]);
          return from([left.shift() ?? {}]);
        },
      },
    };
  };

  it.each<[string, JsonObject[], string[], number]>([
    ['one page', [{ tools: [tool('a'), tool('b')] }], ['a', 'b'], 1],
    ['page by page', [{ tools: [tool('a')], nextCursor: 'x' }, { tools: [tool('b')] }], ['a', 'b'], 2],
    ['no tools', [{}], [], 1],
    ['what has no name', [{ tools: [7, { name: 3 }, { name: '' }, tool('a')] }], ['a'], 1],
    ['a cursor that never ends', Array.from({ length: 200 }, () => ({ tools: [], nextCursor: 'on' })), [], 100],
  ])('takes %s', (_, answers, names, count) => {
    const { peer, asked } = pages(...answers);
    const told: string[][] = [];
    listTools(peer).subscribe((tools) => told.push(tools.map(({ name }) => name)));
    expect(told).toEqual([names]);
    expect(asked.length).toBeGreaterThanOrEqual(count);
    expect(asked.length).toBeLessThanOrEqual(count + 1);
  });
});
