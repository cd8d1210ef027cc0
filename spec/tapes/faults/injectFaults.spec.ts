import { type Faults, readFaults, serverLineName } from '../../../src/tapes/faults/faults';
import { injectFaults } from '../../../src/tapes/faults/injectFaults';
import type { PlaybackEvent, PlayedLine } from '../../../src/tapes/replayServer/playbackSession';
import { marbles } from '../../support/marbles';
import { through } from '../../support/streams';

const line = (id: number, text = `{"id":${id},"result":{}}`): PlayedLine => ({
  kind: 'line',
  line: text,
  fromMs: 0,
  afterMs: 0,
});
const fault = (number: number, what: string): PlaybackEvent => ({
  kind: 'fault',
  text: `fault: line ${number} (response) ${what}`,
});
/** A line that was rewritten has no bytes of its own. */
const REWRITTEN: { bytes?: string } = { bytes: undefined };
const values: Record<string, PlaybackEvent> = {
  a: line(1),
  b: line(2),
  c: line(3),
  r: { kind: 'session', text: 'a remark' },
  x: fault(1, 'is lost'),
  d: fault(3, 'comes twice'),
  w: fault(2, 'waits 3 ms'),
  k: fault(2, 'is cut in half'),
  h: { ...line(2, '{"id":2,"r'), ...REWRITTEN },
  C: { kind: 'crash', text: 'fault: the server crashes before line 2 (response)' },
  E: { kind: 'end', text: 'fault: the server ends before line 2 (response)' },
  g: fault(2, 'is garbled'),
  m: { ...line(2), line: '\u0001"id":2,\u0001result"\u0001{}}', ...REWRITTEN },
  l: fault(1, 'comes again after 7 ms'),
  y: fault(1, 'waits 2 ms, and comes again after 2 ms'),
};
const injected = (text: string, seed = 1) =>
  injectFaults<PlaybackEvent>(readFaults(text) as Faults, seed, (event, number) =>
    serverLineName('line' in event ? event.line : '', number),
  );

describe('injectFaults', () => {
  it.each([
    ['loses and doubles lines, and passes remarks and what comes behind', 'x-D', 'ra-b-c----b|', 'rx-b-(dcc)b|'],
    ['cuts a line in half', '-c', '             a-b---c|       ', '           a-(kh)c|'],
    ['delays a line and those behind it', '-3ms-', '   a-b-c-----|     ', '           a-w--(bc)-|'],
    ['garbles a line', '-g', '                a-b---c|       ', '           a-(gm)c|'],
    ['lets a copy come later', 'D+7ms', '         a----b---c-|   ', '           (la)-b-a-c-|'],
    ['lets a copy come after the source', 'D+7ms', 'a|               ', '           (la)---(a|)'],
    ['lets a line wait, and its copy too', '2msD+2ms', 'a-----b-|     ', '           y-a-a-b-|'],
    ['loses late copies at a crash', 'D+7ms#', '  a----b--|       ', '           (la)-(C|)'],
    ['does nothing without a line', 'x', '       r-|             ', '           r-|'],
    ['fails with its source', 'x', '             a-#             ', '           x-#'],
    ['crashes', '-#', '                 a-b-c|         ', '           a-(C|)'],
    ['ends', '-|', '                    a-b-c|         ', '           a-(E|)'],
  ])('%s', (_, faults, source, expected) => {
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot(source.trim(), values).pipe(injected(faults))).toBe(expected.trim(), values);
    })();
  });

  it('starts over, and draws the same faults from the same seed', () => {
    const lines = Array.from({ length: 40 }, (_, i) => line(i));
    const played = (faults: string, seed: number) => through(injected(faults, seed), lines);
    expect(played('-x*', 1).filter(({ kind }) => kind === 'line')).toHaveLength(20);
    expect(played('?*', 7)).toEqual(played('?*', 7));
    expect(played('?*', 7)).not.toEqual(played('?*', 8));
    expect(played('?*', 7).filter(({ kind }) => kind === 'fault').length).toBeGreaterThan(5);
  });
});
