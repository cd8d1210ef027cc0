import type { PlaybackEvent } from '../../../src/tapes/replayServer/playbackEvent';
import { separateProgress } from '../../../src/tapes/replayServer/replayServer';
import { marbles } from '../../support/marbles';

const line = (message: object): PlaybackEvent => ({
  kind: 'line',
  line: JSON.stringify(message),
  fromMs: 0,
  afterMs: 0,
});
const values: Record<string, PlaybackEvent> = {
  p: line({ method: 'notifications/progress', params: { progress: 1 } }),
  n: line({ method: 'notifications/message' }),
  R: line({ id: 1, result: {} }),
  S: line({ id: 2, result: {} }),
  z: { kind: 'unplayed', text: '' },
};

describe('separateProgress', () => {
  it.each([
    ['lets a response wait after progress', '-(pR)-----|', '-p----R---|'],
    ['counts what is between them as well', '-(pnR)----|', '-(pn)-R---|'],
    ['waits once for all progress before', '-(pRSz)------|', '-p----(RSz)--|'],
    ['keeps the order of what comes meanwhile', '-(pR)pS-------|', '-p----(Rp)-S--|'],
    ['passes a response without progress', '-(RpnS)---|', '-(Rpn)S---|'],
    ['completes after the last response', '-(pR|)', '-p----(R|)'],
    ['errors with the source', '-(pR)--#', '-p----R#'],
    ['is empty as its source is', '--|', '--|'],
  ])('%s', (_, source, expected) =>
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot(source, values).pipe(separateProgress())).toBe(expected, values);
    })(),
  );

  it(
    'stops with its subscriber',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const event$ = hot('-(pR)-', values);
      const unsubscribed = '---!';
      expectObservable(event$.pipe(separateProgress()), unsubscribed).toBe('-p--', values);
      expectSubscriptions(event$.subscriptions).toBe('^--!');
    }),
  );
});
