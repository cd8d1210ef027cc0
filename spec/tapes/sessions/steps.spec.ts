import type { PlaybackEvent } from '../../../src/tapes/replayServer/playbackSession';
import { releaseBySteps } from '../../../src/tapes/sessions/steps';
import { marbles } from '../../support/marbles';

const line = (text: object): PlaybackEvent => ({ kind: 'line', line: JSON.stringify(text), fromMs: 0, afterMs: 0 });
const next = (label: string): PlaybackEvent => ({ kind: 'next', text: `next: ${label}` });

const events: Record<string, PlaybackEvent> = {
  a: line({ method: 'codex/event', params: { msg: { type: 'task_started' } } }),
  b: line({ id: 1, result: {} }),
  c: line({ id: 2, error: { code: 1, message: 'no' } }),
  A: next('task_started'),
  B: next('response'),
  C: next('error'),
  t: { kind: 'unrecorded', text: 'not recorded' },
};
const counts = { 1: 1, 2: 2, 9: 9 };

describe('releaseBySteps', () => {
  it.each([
    ['keeps each line until a step, and emits which is next', '-a-b-c|', '-------1---1---1--|', '-A-----(aB)(bC)(c|)'],
    ['lets the next line through when the step came first', '----a--b|', '-1---------|', '----a--B---(b|)'],
    ['goes on by more than one line', '-(abc)|', '-------2----1--|', '-A-----(abC)(c|)'],
    ['passes everything once the steps end', '-(ab)------c-|', '-------|', '-A-----(ab)c-|'],
    ['passes what is no line at once', '-a--t--|', '----------1-|', '-A--t-----(a|)'],
    ['ends with the source when nothing is held', '-a-|', '9------', '-a-|'],
  ])('%s', (_, played, step, expected) =>
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot(played, events).pipe(releaseBySteps(hot(step, counts)))).toBe(expected, events);
    })(),
  );

  it(
    'errors with the source',
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('-a-#', events).pipe(releaseBySteps(hot('-')))).toBe('-A-#', events);
    }),
  );
});
