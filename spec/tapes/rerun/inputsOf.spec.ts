import { timer } from 'rxjs';
import { inputsOf, NOT_RUNNING, type RunEvent, runSteps } from '../../../src/tapes/rerun/inputsOf';
import type { PlannedStep } from '../../../src/tapes/rerun/rerunPlan';
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

describe('runSteps', () => {
  const STEPS: PlannedStep[] = [
    { kind: 'send', line: 'a' },
    { kind: 'request', call: 0 },
    { kind: 'line' },
    { kind: 'send', line: 'b' },
    { kind: 'line' },
    { kind: 'end' },
  ];
  const idle: RunEvent = { kind: 'idle' };
  const late: RunEvent = { kind: 'late' };
  const line: RunEvent = { kind: 'line' };
  const call: RunEvent = { kind: 'call', call: 0 };
  /** What each event gives: an input, nothing, or that it is over. */
  const given = (...events: RunEvent[]): string[] => givenBy(STEPS, ...events);
  const givenBy = (steps: readonly PlannedStep[], ...events: RunEvent[]): string[] => {
    const run = runSteps(steps);
    let state = NOT_RUNNING;
    return events.map((event) => {
      const step = run(state, event);
      state = step.state;
      if (step.isOver) return 'over';
      return step.input?.kind === 'send' ? step.input.line : (step.input?.kind ?? '-');
    });
  };

  it('gives an input once all outputs before it have come', () => {
    expect(given(idle, idle, call, idle, line, idle, idle, line, idle, idle)).toEqual([
      ...['a', '-', '-', '-', '-', 'b', '-', '-', 'end', 'over'],
    ]);
  });

  it('forgets a call once its step is over, so that a long session costs no more for each', () => {
    const run = runSteps(STEPS);
    const called = run(run(NOT_RUNNING, idle).state, call).state;
    expect([[...called.claimed], [...run(called, idle).state.claimed]]).toEqual([[0], []]);
  });

  it('waits no longer for what is late', () => {
    expect(given(idle, late, idle, late, idle)).toEqual(['a', 'b', '-', 'end', 'over']);
  });

  it('remembers every call, in whatever order they are made', () => {
    const steps: PlannedStep[] = [{ kind: 'request', call: 0 }, { kind: 'request', call: 1 }, { kind: 'end' }];
    expect(givenBy(steps, { kind: 'call', call: 1 }, idle, call, idle)).toEqual(['-', '-', '-', 'end']);
  });

  it('takes lines that come early', () => {
    expect(given(line, line, idle, call, idle, idle, idle)).toEqual(['-', '-', 'a', '-', 'b', 'end', 'over']);
  });
});
