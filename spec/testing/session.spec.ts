/** A server that is held to its marbles: in order, and in virtual time. */
import { concat, concatMap, delay, EMPTY, map, NEVER, type Observable, of, throwError } from 'rxjs';
import {
  answer,
  anything,
  idOf,
  notification,
  type Phase,
  refusal,
  request,
  type Server,
  session,
  type Values,
} from '../../src/testing';

import { faultsOf, HOSTILE, HOSTILE_LINE } from '../support/hostile';

type Wire = {
  id?: number | string;
  method?: string;
  params?: { name?: string; requestId?: unknown };
  result?: unknown;
};

const say = (message: object): string => JSON.stringify({ jsonrpc: '2.0', ...message });
const THREAD = '0b0e7a3c-1111-4222-8333-444455556666';

/** `add` says what it does and is done; `clear` asks first; `slow` waits for its cancel; `open` gives out a name, `use` takes it. */
const notes: Server = (line$: Observable<string>) => {
  let asking: Wire['id'];
  return line$.pipe(
    map((line) => JSON.parse(line) as Wire),
    concatMap(({ id, method, params, result }) => {
      if (method === 'initialize') return of(say({ id, result: { serverInfo: { name: 'notes' } } }));
      if (method === 'notifications/cancelled')
        return of(say({ id: params?.requestId, error: { code: 1, message: 'x' } }));
      if (params?.name === 'add') {
        return of(
          say({ method: 'notifications/message', params: { data: 'adding' } }),
          say({ id, result: { ok: true } }),
        );
      }
      if (params?.name === 'open')
        return of(say({ id, result: { thread: THREAD, at: '2026-01-02T03:04:05Z', ms: 5 } }));
      if (method === 'use') return of(say({ id, result: params }));
      if (params?.name === 'clear') {
        asking = id;
        return of(say({ id: 'q1', method: 'elicitation/create', params: { message: 'Sure?' } }));
      }
      return result === undefined ? EMPTY : of(say({ id: asking, result: { gone: result } }));
    }),
  );
};

const values: Values = {
  i: request('initialize', { clientInfo: { name: 'spec', version: '1' } }),
  I: answer('i', { serverInfo: { name: 'notes' } }),
  n: notification('notifications/initialized'),
  a: request('tools/call', { name: 'add' }),
  A: answer('a', { ok: true }),
  M: notification('notifications/message', { data: 'adding' }),
  c: request('tools/call', { name: 'clear' }),
  Q: request('elicitation/create', { message: 'Sure?' }),
  y: answer('Q', { action: 'accept' }),
  C: answer('c', { gone: { action: 'accept' } }),
  D: answer('c', { gone: { action: 'decline' } }),
  s: request('tools/call', { name: 'slow' }),
  x: notification('notifications/cancelled', { requestId: idOf('s') }),
  S: refusal('s', 1, 'x'),
  o: request('tools/call', { name: 'open' }),
  O: answer('o', { thread: '<uuid 1>', at: '<time>', ms: anything }),
  u: request('use', { thread: '<uuid 1>' }),
  U: answer('u', { thread: '<uuid 1>' }),
};

const failure = async (server: Server, ...phases: Phase[]): Promise<string> =>
  session(server, { limitMs: 30, settleMs: 10 })
    .plays(...phases)
    .then(
      () => 'passed',
      (error: Error) => error.message,
    );

describe('session.plays', () => {
  it('compares the order of a server with its marbles', () =>
    session(notes).plays({
      client: 'i-n-a---c---y---|',
      server: '-I----MA--Q---C-|',
      values,
    }));

  it('gives ids to requests, fills holes, cancels by the letter of a request', () =>
    session(notes).plays({
      client: 'i-s-x---o-u--|',
      server: '-I---S---O-U-|',
      values,
    }));

  it('keeps values from phase to phase', () =>
    session(notes).plays(
      { name: 'greeting', client: 'i-n', server: '-I-', values },
      { name: 'adding', client: 'a---|', server: '--MA-' },
    ));

  it('takes a text for a line as it is, one in quotes too', () =>
    session((line$) => line$).plays({ client: 'a-b|', server: '-a-b|', values: { a: '"x"', b: 'x' } }));

  it('lets what stands in parentheses come in any order', () =>
    session(notes).plays({ client: 'i-a-----|', server: '-I--(AM)-', values }));

  it('does not compare the order between several lines', () =>
    session(notes).plays({ client: 'i-a-----|', server: ['-I--A----', '-----M---'], values }));

  it('does compare the order in one', async () => {
    expect(await failure(notes, { client: 'i-a-----|', server: '-I--AM---', values })).toBe(
      [
        'the server does not play its part',
        '  client    i-a------|',
        '  expected  -I--AM----',
        '  actual    -I---MA---',
        '                ^',
        '  expected A (an answer); actual M (notifications/message)',
        '  message.id: expected "<id of a>", actual nothing',
        '  message.result: expected {"ok":true}, actual nothing',
        '  message.method: expected nothing, actual "notifications/message"',
        '  message.params: expected nothing, actual {"data":"adding"}',
      ].join('\n'),
    );
  });

  it('shows another answer in marbles and in JSON, in its phase only and with the letters of that', async () => {
    const phases: Phase[] = [
      { name: 'greeting', client: 'i-n', server: '-I-', values },
      { name: 'clearing', client: 'c---y---|', server: '--Q---D-|' },
    ];
    expect(await failure(notes, ...phases)).toBe(
      [
        'the server does not play its part',
        'in clearing:',
        '  client    …c---y---|',
        '  expected  …--Q---D-|',
        '  actual    …--Q---C-|',
        '                   ^',
        '  expected D (an answer); actual C (an answer)',
        '  message.result.gone.action: expected "decline", actual "accept"',
      ].join('\n'),
    );
  });

  it('leaves out the end of the session where a phase before the last differs', async () => {
    const phases: Phase[] = [
      { name: 'clearing', client: 'i-nc---y---', server: '-I---Q---D-', values },
      { name: 'more', client: 'c---y---|', server: '--Q---D-|' },
    ];
    expect((await failure(notes, ...phases)).split('\n').slice(1, 5)).toEqual([
      'in clearing:',
      '  client    i-nc---y--',
      '  expected  -I---Q---D',
      '  actual    -I---Q---C',
    ]);
  });

  it('shows what never came, what came besides, and what the client did not get to send', async () => {
    const missing = await failure(notes, { client: 'i-a----n-|', server: '-I--MAM---', values });
    expect(missing).toContain('expected M (notifications/message); actual nothing');
    expect(missing).toContain('the server was silent for 30 ms');
    expect(missing).toContain('the client did not get to send n');
    const besides = await failure(notes, { client: 'i-a---n-|', server: '-I---A---', values });
    expect(besides).toContain('expected A (an answer); actual M (notifications/message)');
  });

  it('shows what would command a terminal', async () => {
    const hostile = `${JSON.stringify({ jsonrpc: '2.0', method: HOSTILE, params: { [HOSTILE]: HOSTILE } })}`;
    const fails: Server = () =>
      concat(
        of(hostile),
        throwError(() => new Error(HOSTILE_LINE)),
      );
    const message = await failure(fails, { client: 'i', server: '-I', values });
    expect(message).toContain('\\u001b');
    expect(faultsOf(message)).toEqual([]);
  });

  it('does not take two threads for one', async () => {
    const other = request('use', { thread: 'another' });
    const message = await failure(notes, { client: 'i-o-u--|', server: '-I-O-U-|', values: { ...values, u: other } });
    expect(message).toContain(`message.thread`.replace('message', 'message.result'));
    expect(message).toContain('actual "another"');
  });

  it.each<[string, Server, string]>([
    ['that ends too early', () => EMPTY, 'expected I (an answer); actual | (the end)\n  {"jsonrpc"'],
    ['that fails', () => throwError(() => new Error('no disk')), 'no disk'],
    ['that sends nothing', () => NEVER, 'the server was silent for 30 ms'],
    ['that writes no JSON', () => of('Listening on 80', 'x'), 'Listening on 80'],
    ['that answers under another id', () => of('{"jsonrpc":"2.0","id":"0","result":{}}'), 'actual "0"'],
  ])('fails for a server %s', async (_, server, words) => {
    expect(await failure(server, { client: 'i--a|', server: '-I--A|', values })).toContain(words);
  });

  it.each<[string, Phase[], RegExp]>([
    ['no phase', [], /nothing to play/],
    ['a letter that stands for nothing', [{ client: 'i-w', server: '-I-', values }], /w stands for nothing/],
    ['signs of subscriptions', [{ client: '^-i', server: '-I-', values }], /\^ and ! have no meaning here/],
    [
      'marbles behind the end',
      [
        { client: 'i|', server: '-I', values },
        { client: 'n', server: '-' },
      ],
      /continues after its end/,
    ],
  ])('refuses %s', async (_, phases, words) => {
    await expect(session(notes).plays(...phases)).rejects.toMatchObject({ name: 'ScoreError' });
    await expect(session(notes).plays(...phases)).rejects.toThrow(words);
  });
});

const slow: Server = (line$) =>
  line$.pipe(
    concatMap((line) => of(line).pipe(delay(3))),
    notes,
  );

describe('session.playsInTime', () => {
  it('compares the time of a server with its marbles', () => {
    session(slow).playsInTime({
      client: 'i-n-----c---y|',
      server: '---I-------Q---C|'.replace('C|', '(C|)'),
      values,
    });
  });

  it('reads times in marbles', () => {
    const patient: Server = (line$) =>
      line$.pipe(
        concatMap((line) => of(line).pipe(delay(5_000))),
        notes,
      );
    session(patient).playsInTime({ client: 'i|', server: '5s (I|)', values });
  });

  it('shows what comes too late', () => {
    const late = () => session(slow).playsInTime({ client: 'i-c|', server: '---I-Q|', values });
    expect(late).toThrow('  expected  ---I-Q|\n');
    expect(late).toThrow('  actual    ---I--(Q|)\n                 ^\n');
    expect(late).toThrow('expected Q (elicitation/create); actual Q (elicitation/create), at 5 ms and at 6 ms');
  });

  it('names what the client refers to before it came', () => {
    const hasty = () => session(slow).playsInTime({ client: 'i-c-y--|', server: '---I---|', values });
    expect(hasty).toThrow('the client could not send y: what it refers to had not come by then');
  });
});
