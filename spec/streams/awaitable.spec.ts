import { isObservable, of } from 'rxjs';
import { type Awaitable, allReady, mapReady, streamWhenReady, toStream } from '../../src/streams/awaitable';
import { marbles } from '../support/marbles';

const upper = (text: string): Awaitable<string> => text.toUpperCase();

describe('awaitable', () => {
  it('is there at once where nothing takes time', () => {
    expect(mapReady('a', upper)).toBe('A');
    expect(allReady({ one: 'a', two: 2 })).toEqual({ one: 'a', two: 2 });
    expect(isObservable(allReady({ one: 'a', two: of(2) }))).toBe(true);
  });

  it(
    'comes when what it is made of has come',
    marbles(({ cold, expectObservable }) => {
      const later = (text: string) => cold(`--(${text}|)`);
      expectObservable(toStream<string>('a')).toBe('(a|)');
      expectObservable(toStream(later('a'))).toBe('--(a|)');
      expectObservable(toStream(mapReady(later('a'), upper))).toBe('--(A|)');
      expectObservable(toStream(mapReady(later('a'), later))).toBe('----(a|)');
      expectObservable(toStream(mapReady('a', later))).toBe('--(a|)');
      expectObservable(streamWhenReady<string, string>('a', () => cold('-b-c|'))).toBe('-b-c|');
      expectObservable(streamWhenReady(later('a'), () => cold('-b-c|'))).toBe('---b-c|');
    }),
  );

  it(
    'waits for all side by side',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const slow$ = cold('----(a|)');
      const fast$ = cold('--(b|)');
      const all = { slow: 'a', fast: 'b', there: 'c' };
      expectObservable(toStream(allReady({ slow: slow$, fast: fast$, there: 'c' }))).toBe('----(r|)', { r: all });
      expectSubscriptions(fast$.subscriptions).toBe('^-!');
    }),
  );

  it(
    'errors with what it waits for, and with what follows',
    marbles(({ cold, expectObservable }) => {
      const broken$ = cold<string>('-#');
      expectObservable(toStream(mapReady(broken$, upper))).toBe('-#');
      expectObservable(toStream(mapReady('a', () => broken$))).toBe('-#');
      expectObservable(streamWhenReady(broken$, (text) => of(text))).toBe('-#');
      expectObservable(toStream(allReady({ one: broken$, two: cold('---(a|)') }))).toBe('-#');
    }),
  );
});
