import { delay, of } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import {
  alignMarbles,
  answer,
  assertMarbles,
  MarbleError,
  marbleMatchers,
  marbles,
  type Phase,
  request,
  type Server,
  type TimedEvent,
} from '../../src/testing';

const timeline = (text: string, values?: Record<string, unknown>): TimedEvent[] =>
  new TestScheduler(() => {}).run(() => TestScheduler.parseMarbles(text, values, new Error('broken'), false, true));

describe('marbles', () => {
  it(
    'passes what goes as its marbles say',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot('a-b|');
      expectObservable(source.pipe(delay(2))).toBe('--a-(b|)');
      expectSubscriptions(source.subscriptions).toBe('^--!');
    }),
  );

  it('draws what does not', () => {
    const run = marbles(({ cold, expectObservable }) => {
      expectObservable(cold('-a--b|', { a: { n: 1 }, b: { n: 2 } })).toBe('-a-b-|', { a: { n: 1 }, b: { n: 3 } });
    });
    expect(run).toThrow(MarbleError);
    expect(run).toThrow(
      [
        '  expected  -a-b-|',
        '  actual    -a--c|',
        '               ^',
        '  expected b (a value); actual c (a value)',
        '  message.n: expected 3, actual 2',
      ].join('\n'),
    );
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

describe('alignMarbles', () => {
  it('is empty for what is the same; members that are undefined are none, matchers match', () => {
    const actual = timeline('a-b-#', { a: { x: 1, y: undefined }, b: [new Map([[1, 2]]), new Uint8Array([1])] });
    const expected = timeline('a-b-#', { a: { x: expect.any(Number) }, b: [new Map([[1, 2]]), new Uint8Array([1])] });
    expect(alignMarbles(actual, expected)).toBe('');
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

  it.each([
    [new Map([[1, 2]]), new Map([[1, 3]])],
    [new Uint8Array([1]), new Uint8Array([2])],
    [[1], [1, 2]],
    [{ a: 1 }, null],
    [new Error('a'), new Error('b')],
    [{ a: 1 }, { a: 1, b: 2 }],
  ])('tells %p from %p', (a, b) => {
    expect(() => assertMarbles(timeline('a', { a }), timeline('a', { a: b }))).toThrow(MarbleError);
  });
});

describe('marbleMatchers', () => {
  const echo: Server = () => of('{"jsonrpc":"2.0","id":0,"result":{}}').pipe(delay(5));
  const phase: Phase = { client: 'i', server: '-----I|', values: { i: request('x'), I: answer('i', {}) } };
  const other: Phase = { ...phase, values: { ...phase.values, I: answer('i', 7) } };
  type Extended = {
    toPlay: (...phases: Phase[]) => Promise<void>;
    toPlayInTime: (...phases: Phase[]) => void;
    toMatchMarbles: (expected: readonly TimedEvent[]) => void;
  };
  const expecting = (value: unknown): Extended & { not: Extended } =>
    expect(value) as unknown as Extended & { not: Extended };

  beforeAll(() => expect.extend(marbleMatchers));

  it('hold a server to its marbles', async () => {
    await expecting(echo).toPlay(phase);
    await expecting(echo).not.toPlay(other);
    await expect(expecting(echo).toPlay(other)).rejects.toThrow('message.result: expected 7, actual {}');
  });

  it('hold a server to the time of its marbles', () => {
    const inTime = { ...phase, server: '-----(I|)' };
    expecting(echo).toPlayInTime(inTime);
    expect(() => expecting(echo).toPlayInTime({ ...inTime, server: '---(I|)' })).toThrow('at 3 ms and at 5 ms');
  });

  it('compare timelines', () => {
    expecting(timeline('a-b|')).toMatchMarbles(timeline('a-b|'));
    expect(() => expecting(timeline('a-b|')).toMatchMarbles(timeline('a-c|'))).toThrow(/\^/);
  });

  it('let faults of the spec pass as what they are', async () => {
    await expect(expecting(echo).toPlay({ client: 'w', server: '' })).rejects.toThrow(/w stands for nothing/);
    expect(() => expecting(echo).toPlayInTime({ client: 'w', server: '' })).toThrow(/w stands for nothing/);
  });
});
