import { delay } from 'rxjs';
import { DEFAULT_COLUMNS } from '../../../src/streams/marbles/drawMismatch';
import { alignMarbles, assertWithin, MarbleError, marbles } from '../../../src/streams/marbles/marbles';
import { timeline } from './timelines';

describe('marbles', () => {
  it(
    'passes a stream that matches its marbles',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot('a-b|');
      expectObservable(source.pipe(delay(2))).toBe('--a-(b|)');
      expectSubscriptions(source.subscriptions).toBe('^--!');
    }),
  );

  it('draws what another stream does', () => {
    const run = marbles(({ cold, expectObservable }) => {
      expectObservable(cold('-a--b|', { a: { n: 1 }, b: { n: 2 } })).toBe('-a-b-|', { a: { n: 1 }, b: { n: 3 } });
    });
    expect(run).toThrow(
      new MarbleError(
        [
          'the stream does not match its marbles',
          '  expected  -a-b-|',
          '  actual    -a--c|',
          '               ^',
          '  expected b (a value); actual c (a value)',
          '  message.n: expected 3, actual 2',
        ].join('\n'),
      ),
    );
  });

  it('draws each value by the letter that the spec gives it, and others by letters that are free', () => {
    const values = { A: { n: 1 }, b: 'x', C: expect.objectContaining({ n: 3 }) };
    const run = marbles(({ cold, expectObservable }) => {
      const out$ = cold('pqrs', { p: { n: 1 }, q: 'x', r: { n: 3, m: 0 }, s: { n: 4 } });
      expectObservable(out$).toBe('AbCb|', values);
      expectObservable(cold('-')).toBe('-', { A: { n: 4 } });
    });
    expect(run).toThrow(/ {2}expected {2}AbCb\|\n {2}actual {4}AbCa-\n/);
  });

  it('fails for other subscriptions', () => {
    const run = marbles(({ hot, expectSubscriptions }) => {
      const source = hot('a|');
      source.subscribe();
      expectSubscriptions(source.subscriptions).toBe('^--!');
    });
    expect(run).toThrow(/expected .*3.*\n.*actual .*1/);
  });
});

const assertMarbles = assertWithin(() => DEFAULT_COLUMNS);

describe('assertMarbles', () => {
  it('passes equal timelines and equal subscriptions', () => {
    expect(() => assertMarbles(timeline('a-b|'), timeline('a-b|'))).not.toThrow();
    expect(() => assertMarbles([{ subscribedFrame: 0 }], [{ subscribedFrame: 0 }])).not.toThrow();
  });

  it.each([
    [new Map([[1, 2]]), new Map([[1, 3]])],
    [new Uint8Array([1]), new Uint8Array([2])],
    [[1], [1, 2]],
    [{ a: 1 }, null],
    [new Error('a'), new Error('b')],
    [{ a: 1 }, { a: 1, b: 2 }],
  ])('throws for %p in place of %p', (a, b) => {
    expect(() => assertMarbles(timeline('a', { a }), timeline('a', { a: b }))).toThrow(MarbleError);
  });

  it('shows both lists of subscriptions', () => {
    expect(() => assertMarbles([{ subscribedFrame: 1 }], [{ subscribedFrame: 0 }])).toThrow(
      new MarbleError(
        [
          'the stream does not match its marbles',
          '  expected  [{"subscribedFrame":0}]',
          '  actual    [{"subscribedFrame":1}]',
        ].join('\n'),
      ),
    );
  });
});

describe('alignMarbles', () => {
  it('is empty for timelines that are the same, with matchers and members that are undefined', () => {
    const actual = timeline('a-b-#', { a: { x: 1, y: undefined }, b: [new Map([[1, 2]]), new Uint8Array([1])] });
    const expected = timeline('a-b-#', { a: { x: expect.any(Number) }, b: [new Map([[1, 2]]), new Uint8Array([1])] });
    expect(alignMarbles(actual, expected)).toBe('');
  });

  it('is empty for two empty timelines', () => {
    expect(alignMarbles([], [])).toBe('');
  });

  it.each([
    ['a value more', 'ab|', 'a-|', 'expected | (the end); actual b (a value)'],
    ['a value less', 'a-|', 'ab|', 'expected b (a value); actual | (the end)'],
    ['no end', 'a', 'a|', 'expected | (the end); actual nothing'],
    ['an end', 'a|', 'a', 'expected nothing; actual | (the end)'],
    ['another time', 'a--b', 'a-b', 'at 2 ms and at 3 ms'],
    ['an error', 'a#', 'a|', 'actual # (an error)'],
  ])('shows %s', (_, actual, expected, words) => {
    expect(alignMarbles(timeline(actual), timeline(expected))).toContain(words);
  });

  it('gives equal values one letter, and values of one character that character', () => {
    const values = { p: { n: 1 }, q: { n: 1 }, r: { n: 2 }, x: 'x' };
    expect(alignMarbles(timeline('pqrx', values), timeline('pqrx-|', values)).split('\n').slice(0, 3)).toEqual([
      '  expected  aabx-|',
      '  actual    aabx--',
      '                 ^',
    ]);
  });
});
