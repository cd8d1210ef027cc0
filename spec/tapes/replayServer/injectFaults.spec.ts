import fc from 'fast-check';
import { injectFaults, readFaults } from '../../../src/tapes/replayServer/injectFaults';
import type { PlaybackEvent } from '../../../src/tapes/replayServer/playbackSession';
import { marbles } from '../../support/marbles';
import { through } from '../../support/streams';

const line = (id: number, text = `{"id":${id},"result":{}}`): PlaybackEvent => ({
  kind: 'line',
  line: text,
  fromMs: 0,
  afterMs: 0,
});
const fault = (number: number, what: string): PlaybackEvent => ({
  kind: 'fault',
  text: `fault: line ${number} (response) ${what}`,
});
const values: Record<string, PlaybackEvent> = {
  a: line(1),
  b: line(2),
  c: line(3),
  r: { kind: 'session', text: 'a remark' },
  x: fault(1, 'is lost'),
  d: fault(3, 'comes twice'),
  w: fault(2, 'waits 3 ms'),
  k: fault(2, 'is cut in half'),
  h: line(2, '{"id":2,"r'),
  C: { kind: 'crash', text: 'fault: the server crashes before line 2 (response)' },
  E: { kind: 'fault', text: 'fault: the server ends before line 2 (response)' },
};
const faultsOf = (text: string) => readFaults(text) ?? { faults: [], repeat: 'once' as const };

describe('injectFaults', () => {
  it.each([
    ['loses and doubles lines, and passes remarks and what comes behind', 'x-D', 'ra-b-c----b|', 'rx-b-(dcc)b|'],
    ['cuts a line in half', '-c', '             a-b---c|       ', '           a-(kh)c|'],
    ['delays a line and those behind it', '-3ms-', '   a-b-c-----|     ', '           a-w--(bc)-|'],
    ['crashes', '-#', '                 a-b-c|         ', '           a-(C|)'],
    ['ends', '-|', '                    a-b-c|         ', '           a-(E|)'],
  ])('%s', (_, faults, source, expected) => {
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot(source.trim(), values).pipe(injectFaults(faultsOf(faults), 1))).toBe(
        expected.trim(),
        values,
      );
    })();
  });

  it('starts over, and draws the same faults from the same seed', () => {
    const lines = Array.from({ length: 40 }, (_, i) => line(i));
    const played = (faults: string, seed: number) => through(injectFaults(faultsOf(faults), seed), lines);
    expect(played('-x*', 1).filter(({ kind }) => kind === 'line')).toHaveLength(20);
    expect(played('?*', 7)).toEqual(played('?*', 7));
    expect(played('?*', 7)).not.toEqual(played('?*', 8));
    expect(played('?*', 7).filter(({ kind }) => kind === 'fault').length).toBeGreaterThan(5);
  });
});

describe('readFaults', () => {
  it('reads signs and times', () => {
    expect(readFaults('-x2s-1.5msD?#|*')).toEqual({
      faults: [
        { kind: 'pass', afterMs: 0 },
        { kind: 'drop', afterMs: 0 },
        { kind: 'pass', afterMs: 2_000 },
        { kind: 'double', afterMs: 1.5 },
        { kind: 'random', afterMs: 0 },
        { kind: 'crash', afterMs: 0 },
        { kind: 'end', afterMs: 0 },
      ],
      repeat: 'again',
    });
  });

  it.each(['', '*', 'a', '--y', '- -'])('rejects %j', (text) => {
    expect(readFaults(text)).toBeUndefined();
  });

  const fault = (kind: string, afterMs = 0) => ({ kind, afterMs });

  it.each([
    ['-xDc?#|', ['pass', 'drop', 'double', 'cut', 'random', 'crash', 'end'].map((kind) => fault(kind)), 'once'],
    ['-*', [fault('pass')], 'again'],
    ['2s-', [fault('pass', 2_000)], 'once'],
    ['1m2s3ms-x', [fault('pass', 62_003), fault('drop')], 'once'],
    ['-2s', [fault('pass'), fault('pass', 2_000)], 'once'],
    ['1.5s#', [fault('crash', 1_500)], 'once'],
  ])('reads %s', (text, faults, repeat) => {
    expect(readFaults(text)).toEqual({ faults, repeat });
  });

  it.each([[''], ['*'], ['a'], ['-y'], ['2h-'], ['- x'], ['-**']])('reads nothing in %j', (text) => {
    expect(readFaults(text)).toBeUndefined();
  });

  it('has one fault for each sign, and begins anew for each text', () => {
    const sign = fc.constantFrom('-', 'x', 'D', 'c', '?', '#', '|');
    fc.assert(
      fc.property(fc.array(sign, { minLength: 1 }), (signs) => {
        expect(readFaults(signs.join(''))?.faults).toHaveLength(signs.length);
      }),
    );
  });
});
