import { map } from 'rxjs';
import type { Backpressure } from '../../../src/streams/backpressure/backpressure';
import { switchableBackpressure } from '../../../src/streams/backpressure/switchableBackpressure';
import { marbles } from '../../support/marbles';

describe('switchableBackpressure', () => {
  it(
    'is that of the queue it was last turned to; a turn counts as a drain',
    marbles(({ hot, cold, expectObservable }) => {
      const backpressure = switchableBackpressure();
      const queues: Record<string, Backpressure> = {
        a: { isFull: () => true, drain$: hot('---d---d-') },
        b: { isFull: () => false, drain$: hot('-d----d--') },
      };
      const turn$ = cold('-a---b--', queues);
      const drained = '   -d-d-dd-';
      turn$.subscribe((queue) => backpressure.switchTo(queue));
      expectObservable(backpressure.drain$.pipe(map(() => 'd'))).toBe(drained);
    }),
  );

  it('looks at the queue it was turned to', () => {
    const backpressure = switchableBackpressure();
    expect(backpressure.isFull()).toBe(false);
    backpressure.switchTo({ isFull: () => true, drain$: backpressure.drain$ });
    expect(backpressure.isFull()).toBe(true);
  });
});
