import fc from 'fast-check';
import { from, lastValueFrom, toArray } from 'rxjs';
import { sse } from '../../../src/agent/modelHttp/readBody';
import { ModelError } from '../../../src/protocol/model/model';
import { marbles } from '../../support/marbles';

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
    'drops an event that the end cuts off, and never emits on silence',
    marbles(({ hot, cold, expectObservable }) => {
      expectObservable(hot('-a-|', { a: 'data: 1\n' }).pipe(sse())).toBe('---|');
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

  it('keeps each subscription to itself', async () => {
    const read = sse()(from(['data: 1\n', '\n']));
    expect(await lastValueFrom(read.pipe(toArray()))).toEqual([['1']]);
    expect(await lastValueFrom(read.pipe(toArray()))).toEqual([['1']]);
  });

  it('gives the same events however the text is cut', async () => {
    const datum = fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text));
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
