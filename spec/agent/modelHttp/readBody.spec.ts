import fc from 'fast-check';
import { asyncScheduler, filter, from, identity, lastValueFrom, map, toArray } from 'rxjs';
import { idleFailure } from '../../../src/agent/modelHttp/failures';
import { idleTimeout, readBody, refuseDocuments, sse } from '../../../src/agent/modelHttp/readBody';
import { ModelError } from '../../../src/protocol/model/model';
import { anyText } from '../../support/hostile';
import { marbles } from '../../support/marbles';

describe('readBody', () => {
  it.each([
    ['joins the pieces', 'a-b-|', '    ----(C|)', { C: 'ab' }],
    ['emits an empty text for an empty body', '--|', '--(C|)', { C: '' }],
    ['reads a broken body as far as it came', 'a-b-#', '----(C|)', { C: 'ab' }],
    ['ends with the piece that makes it full', 'a-b-c-d-|', '----(C|)', { C: 'abc' }],
    ['reads for 10 s', 'a-b-------', '10s (C|)', { C: 'ab' }],
  ])('%s', (_, body, expected, values) =>
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold(body).pipe(readBody(3))).toBe(expected, values);
    })(),
  );

  it(
    'lets the body go, when it is full and when nobody reads',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const full$ = cold('a-b-c-d-|');
      const left$ = cold('a-b-c-d-|');
      expectObservable(full$.pipe(readBody(3))).toBe('----(C|)', { C: 'abc' });
      expectObservable(left$.pipe(readBody(3)), '--!').toBe('---');
      expectSubscriptions(full$.subscriptions).toBe('^---!');
      expectSubscriptions(left$.subscriptions).toBe('^-!');
    }),
  );
});

describe('sse', () => {
  it(
    'emits the data of events once their blank line has come',
    marbles(({ hot, expectObservable }) => {
      const text = { a: 'event: x\ndata: 1\n\ndata: 2\n', b: '\n', c: ': a comment\nid: 7\n' };
      const text$ = hot('  -a--c--b-|', text);
      const expected = '   -1-----2-|';
      expectObservable(text$.pipe(sse())).toBe(expected, { 1: ['1'], 2: ['2'] });
    }),
  );

  it(
    'emits all events of one piece together',
    marbles(({ hot, expectObservable }) => {
      const text$ = hot('  -a------|', { a: 'data: 1\n\ndata: 2\n\ndata: 3\n\n' });
      const expected = '   -a------|';
      expectObservable(text$.pipe(sse())).toBe(expected, { a: ['1', '2', '3'] });
    }),
  );

  it.each([
    ['a line that never ends', ['data: ', 'x'], false],
    ['an event that never ends', ['data: x\n'], false],
    ['comments', [': x\n'], true],
    ['events', ['data: x\n\n'], true],
  ])('bounds the memory of %s', (_, [first, ...rest], isFine) => {
    const piece = (rest[0] ?? first ?? '').replace('x', 'x'.repeat(1_048_576));
    const read$ = from([first === piece ? '' : (first ?? ''), ...Array(10).fill(piece)]).pipe(sse(), toArray());
    const result = lastValueFrom(read$).then(() => true);
    return isFine ? expect(result).resolves.toBe(true) : expect(result).rejects.toThrow('more than 8388608 characters');
  });

  it(
    'errors at an answer whose events are short and have no end',
    marbles(({ hot, expectObservable }) => {
      const text$ = hot('  -a-a-a-|', { a: 'data: 1\n\n' });
      const expected = '   -a-a-#  ';
      const error = new ModelError('the model server sent an answer of more than 20 characters', false);
      expectObservable(text$.pipe(sse(20))).toBe(expected, { a: ['1'] }, error);
    }),
  );

  it(
    'emits an event that the end completes, drops data that it cuts off, and never emits on silence',
    marbles(({ hot, cold, expectObservable }) => {
      for (const end of ['', '\n', '\r', '\r\n'])
        expectObservable(hot('-a-|', { a: `data: 1${end}` }).pipe(sse())).toBe('---(1|)', { 1: ['1'] });
      expectObservable(hot('-a-|', { a: 'data: [DONE]' }).pipe(sse())).toBe('---(D|)', { D: ['[DONE]'] });
      for (const cut of ['data: {"a":', 'da', 'event: x', 'data: {"a":1},'])
        expectObservable(hot('-a-|', { a: `data: 1\n\n${cut}` }).pipe(sse())).toBe('-1-|', { 1: ['1'] });
      expectObservable(cold('---|').pipe(sse() as never)).toBe('---|');
      expectObservable(cold('----').pipe(sse() as never)).toBe('----');
    }),
  );

  it(
    'passes an error on and stops reading when nobody listens',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      expectObservable(hot('-a-#', { a: 'data: 1\n\n' }).pipe(sse())).toBe('-1-#', { 1: ['1'] });
      const text$ = hot('-a-a-a', { a: 'data: 1\n\n' });
      expectObservable(text$.pipe(sse()), '--!').toBe('-1', { 1: ['1'] });
      expectSubscriptions(text$.subscriptions).toBe('^-!');
    }),
  );

  it.each([
    ['\n', ''],
    ['\r\n', ''],
    ['\n', '\uFEFF'],
  ])('emits an event as its blank line comes, with the line end %j after %j', (end, mark) => {
    marbles(({ hot, expectObservable }) => {
      const text = `${mark}event: x${end}data: 1${end}${end}`;
      const pieces = Object.fromEntries([...text].map((letter, n) => [String.fromCharCode(97 + n), letter]));
      const expected = `${'-'.repeat(text.length - 1)}1`;
      expectObservable(hot(Object.keys(pieces).join(''), pieces).pipe(sse())).toBe(expected, { 1: ['1'] });
    })();
  });

  it('emits the data of events without a blank line between them, but not of lines that are one text', async () => {
    const text = 'data: {"a":1}\ndata: {"a":2}\ndata: [DONE]\n\ndata: {"a":\ndata: 3}\n\n';
    const expected = [['{"a":1}', '{"a":2}', '[DONE]', '{"a":\n3}']];
    expect(await lastValueFrom(from([text]).pipe(sse(), toArray()))).toEqual(expected);
  });

  it.each([
    ['an event of this name', 'event: error\ndata: out of memory\n\n', '{"error":"out of memory"}'],
    ['an event of this name with JSON', 'event: error\ndata: {"message":"m"}\n\n', '{"error":{"message":"m"}}'],
    ['a line of this name', 'error: {"message":"m"}\n\n', '{"error":{"message":"m"}}'],
    ['a line that is none of an event stream', '{"error":{"message":"m"}}\n\n', '{"error":{"message":"m"}}'],
  ])('emits an error that comes as %s', async (_, text, expected) => {
    expect(await lastValueFrom(from([text]).pipe(sse(), toArray()))).toEqual([[expected]]);
  });

  it('keeps each subscription to itself', async () => {
    const read = sse()(from(['data: 1\n', '\n']));
    expect(await lastValueFrom(read.pipe(toArray()))).toEqual([['1']]);
    expect(await lastValueFrom(read.pipe(toArray()))).toEqual([['1']]);
  });

  it('gives the same events however the text is cut', async () => {
    const datum = anyText().map((text) => JSON.stringify(text));
    const ending = fc.constantFrom('\n', '\r\n');
    await fc.assert(
      fc.asyncProperty(fc.array(datum), ending, fc.array(fc.nat(400)), async (data, end, cuts) => {
        const text = data.map((one) => `: beat${end}event: e${end}data: ${one}${end}${end}`).join('');
        const places = [0, ...cuts.filter((at) => at < text.length).sort((a, b) => a - b), text.length];
        const pieces = places.slice(1).map((at, n) => text.slice(places[n], at));
        expect((await lastValueFrom(from(pieces).pipe(sse(), toArray()))).flat()).toEqual(data);
      }),
    );
  });
});

const values = { d: 'data: 1\n\n', e: '{}', h: '<html>', b: ' \n', f: '\uFEFF[', c: ': c\n' };
const toBroken = () => new ModelError('broken', true);
const refuse = () => refuseDocuments({ maxChars: 10, toFailure: (text) => new ModelError(text, false), toBroken });

describe('refuseDocuments', () => {
  it.each([
    ['never', '---', '---', ''],
    ['is empty as its source is', '-|', '-|', ''],
    ['passes the text of events', '-d-e-h|', '-d-e-h|', ''],
    ['passes comments', '-c-d|', '-c-d|', ''],
    ['drops blanks before the first event', '-b-d|', '---d|', ''],
    ['is empty where there are only blanks', '-b|', '--|', ''],
    ['refuses HTML once it has ended', '-h-e|', '----#', '<html>{}'],
    ['refuses JSON', '-e|', '--#', '{}'],
    ['refuses a document behind blanks', '-b-f|', '----#', '\uFEFF['],
    ['reads no more than its limit', '-h-h-h', '---#', '<html><htm'],
    ['errors as one that broke off, with its source', '-d#', '-d#', 'broken'],
    ['errors so with the source of a document, too', '-h#', '--#', 'broken'],
  ])('%s', (_, source, expected, message) =>
    marbles(({ hot, expectObservable }) => {
      const error = message === 'broken' ? toBroken() : new ModelError(message, false);
      expectObservable(hot(source, values, new Error('gone')).pipe(refuse())).toBe(expected, values, error);
    })(),
  );

  it.each(['{"choices":[{"message":{}}]}', '{"output":[{"type":"message"}]}'])(
    'makes one event of the whole answer %s',
    (answer) => {
      marbles(({ hot, expectObservable }) => {
        const pieces = { a: `\n${answer.slice(0, 12)}`, b: answer.slice(12) };
        expectObservable(hot('-a-b-|', pieces).pipe(refuse())).toBe('-----(d|)', { d: `data: ${answer}\n\n` });
      })();
    },
  );

  it(
    'unsubscribes its source',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source$ = hot('-h--', values);
      expectObservable(source$.pipe(refuse()), '^-!').toBe('-');
      expectSubscriptions(source$.subscriptions).toBe('^-!');
    }),
  );
});

const watch = (idleMs: number, isFull = () => false) =>
  idleTimeout<string, string>(
    { idleMs, isFull, clockMs: () => asyncScheduler.now() },
    filter((value) => value !== 'c'),
  );

describe('idleTimeout', () => {
  it(
    'errors when nothing comes for too long, at first or later',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const text$ = hot('-a 298ms b 400ms c');
      expectObservable(text$.pipe(watch(300))).toBe('-a 298ms b 299ms #', undefined, idleFailure());
      expectSubscriptions(text$.subscriptions).toBe('^ 599ms !');
      expectObservable(hot('---').pipe(watch(300))).toBe('300ms #', undefined, idleFailure());
    }),
  );

  it(
    'gives values of which nothing is made three times as long',
    marbles(({ hot, expectObservable }) => {
      const comments = '-a 198ms c 199ms c 199ms c 199ms c 199ms c 199ms c';
      expectObservable(hot(comments).pipe(watch(300))).toBe('-a 899ms #', undefined, idleFailure());
      expectObservable(hot('-a 198ms c').pipe(watch(300))).toBe('-a 498ms #', undefined, idleFailure());
    }),
  );

  it(
    'lets the clock stand while we are the slow ones',
    marbles(({ hot, expectObservable }) => {
      const asked = { times: 0 }; // at once, and every 50 ms
      const isFull = () => {
        asked.times += 1;
        return asked.times <= 21;
      };
      expectObservable(hot('-a').pipe(watch(100, isFull))).toBe('-a 1098ms #', undefined, idleFailure());
    }),
  );

  it(
    'does not count a standstill of the process: the answer goes on after it',
    marbles(({ hot, expectObservable }) => {
      const stoodMs = () => (asyncScheduler.now() >= 140 ? 60_000 : 0);
      const clock = { isFull: () => false, clockMs: () => asyncScheduler.now() + stoodMs() };
      const watched = idleTimeout<string, string>({ ...clock, idleMs: 300 }, map(identity));
      expectObservable(hot('-a 248ms b').pipe(watched)).toBe('-a 248ms b 299ms #', undefined, idleFailure());
    }),
  );

  it(
    'ends and fails with its source, and waits for ever when configured so',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      expectObservable(hot('-a-|').pipe(watch(300))).toBe('-a-|');
      expectObservable(hot('-|').pipe(watch(300))).toBe('-|');
      expectObservable(hot('-a-#').pipe(watch(300))).toBe('-a-#');
      const text$ = cold('-a 900s b|');
      expectObservable(text$.pipe(watch(0))).toBe('-a 900s b|');
      expectSubscriptions(text$.subscriptions).toBe('^ 900001ms -!');
    }),
  );

  it(
    'stops when nobody listens',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const text$ = hot('-a-b');
      expectObservable(text$.pipe(watch(300)), '--!').toBe('-a');
      expectSubscriptions(text$.subscriptions).toBe('^-!');
    }),
  );
});
