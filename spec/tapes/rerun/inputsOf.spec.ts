import { timer } from 'rxjs';
import { inputsOf } from '../../../src/tapes/rerun/inputsOf';
import type { PlannedStep } from '../../../src/tapes/rerun/rerunPlan';
import type { RunEvent } from '../../../src/tapes/rerun/runSteps';
import { marbles } from '../../support/marbles';

const STEPS: PlannedStep[] = [
  { kind: 'send', line: 'a' },
  { kind: 'line' },
  { kind: 'send', line: 'b' },
  { kind: 'end' },
];
const events: Record<string, RunEvent> = { l: { kind: 'line' } };
const [a, , b, e] = STEPS;
const LONG: PlannedStep[] = [
  { kind: 'line' },
  { kind: 'send', line: 'a' },
  { kind: 'line' },
  { kind: 'request', call: 0 },
  { kind: 'end' },
];

describe('inputsOf', () => {
  it.each([
    ['an input after each output that was recorded before it', '-----l------', '-a----be|'],
    ['the next one where an output is late', '            ------------', '-a 7ms be|'],
  ])('emits %s', (_, source, expected) => {
    marbles(({ hot, expectObservable, time }) => {
      const idle = timer(time('-|'));
      const input$ = hot(source.trim(), events).pipe(inputsOf({ idle, lateMs: 8 }, STEPS));
      expectObservable(input$).toBe(expected, { a, b, e });
    })();
  });

  it(
    'waits briefly for what is late once something else was',
    marbles(({ hot, expectObservable, time }) => {
      const idle = timer(time('-|'));
      const input$ = hot('-', events).pipe(inputsOf({ idle, lateMs: 3_000 }, LONG));
      expectObservable(input$).toBe('3s a 99ms e|', { a, e });
    }),
  );
});
