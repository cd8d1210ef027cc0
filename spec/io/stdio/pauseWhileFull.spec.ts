import { pauseWhileFull } from '../../../src/io/stdio/fromInput';
import type { Backpressure } from '../../../src/streams/backpressure';
import { marbles } from '../../support/marbles';

describe('pauseWhileFull', () => {
  it(
    'pauses when the queue is full, and resumes when it drains',
    marbles(({ hot, flush }) => {
      const done: string[] = [];
      const source = { pause: () => done.push('pause'), resume: () => done.push('resume') };
      let isFull = false;
      const backpressure: Backpressure = { isFull: () => isFull, drain$: hot('----d-d') };
      const { check } = pauseWhileFull(backpressure, source);
      hot('-a-b', { a: false, b: true }).subscribe((full) => {
        isFull = full;
        check();
        done.push(`checked ${full}`);
      });
      flush();
      expect(done).toEqual(['checked false', 'pause', 'checked true', 'resume']);
    }),
  );

  it(
    'waits for one drain, however often the queue is found full, and for none once it is stopped',
    marbles(({ hot, flush, expectSubscriptions }) => {
      const done: string[] = [];
      const source = { pause: () => done.push('pause'), resume: () => done.push('resume') };
      const drain$ = hot('-----d');
      const { check, stop } = pauseWhileFull({ isFull: () => true, drain$ }, source);
      hot('-ab-s').subscribe((letter) => (letter === 's' ? stop() : check()));
      flush();
      expect(done).toEqual(['pause', 'pause']);
      expectSubscriptions(drain$.subscriptions).toBe(['-^!', '--^-!']);
    }),
  );
});
