import { delay } from 'rxjs';
import { DEFAULT_COLUMNS } from '../../../src/streams/marbles/drawComparison';
import { assertWithin, MarbleError, marbles } from '../../../src/streams/marbles/marbles';
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
