import { map } from 'rxjs';
import { type Pressure, turningPressure } from '../../src/streams';
import { marbles } from '../support/marbles';

describe('turningPressure', () => {
  it(
    'is that of the queue it was last turned to; a turn counts as a drain',
    marbles(({ hot, cold, expectObservable }) => {
      const pressure = turningPressure();
      const queues: Record<string, Pressure> = {
        a: { isLong: () => true, drain$: hot('---d---d-') },
        b: { isLong: () => false, drain$: hot('-d----d--') },
      };
      const turn$ = cold('-a---b--', queues);
      const drained = '   -d-d-dd-';
      turn$.subscribe((queue) => pressure.turnTo(queue));
      expectObservable(pressure.drain$.pipe(map(() => 'd'))).toBe(drained);
    }),
  );

  it('looks at the queue it was turned to', () => {
    const pressure = turningPressure();
    expect(pressure.isLong()).toBe(false);
    pressure.turnTo({ isLong: () => true, drain$: pressure.drain$ });
    expect(pressure.isLong()).toBe(true);
  });
});
