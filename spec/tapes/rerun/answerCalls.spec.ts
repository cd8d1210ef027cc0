import type { Subscription } from 'rxjs';
import { answerCalls, type Recorded } from '../../../src/tapes/rerun/answerCalls';
import type { PlannedStep, RerunPlan } from '../../../src/tapes/rerun/rerunPlan';

const respond = (call: number, line: string, isLast = false): Extract<PlannedStep, { kind: 'respond' }> => ({
  kind: 'respond',
  call,
  isLast,
  entry: { t: 0, dir: 'out', line },
});
const STEPS = [respond(0, 'a'), respond(1, 'x', true), respond(0, 'b', true)];
const PLAN: RerunPlan = {
  calls: [
    { seam: 'model', line: 'one' },
    { seam: 'model', line: 'two' },
  ],
  lines: [],
  drawn: new Map(),
  steps: STEPS,
};

/** What a request gets, as a growing list; `|` is its end. */
const collect = (answers: ReturnType<typeof answerCalls>, seam: string, line: string): string[] => {
  const got: string[] = [];
  const toText = (recorded: Recorded) => (recorded.kind === 'entry' ? recorded.entry.line : recorded.kind);
  const running: Subscription = answers
    .ask(seam, line)
    .subscribe({ next: (one) => got.push(toText(one)), complete: () => got.push('|') });
  expect(running.closed).toBe(got.at(-1) === '|');
  return got;
};

describe('answerCalls', () => {
  it('gives each call its responses when their turn comes', async () => {
    const answers = answerCalls(PLAN, 'inOrder', ({ line }) => line);
    const calls: number[] = [];
    answers.call$.subscribe((call) => calls.push(call));
    const two = collect(answers, 'model', 'two');
    const other = collect(answers, 'model', 'changed');
    await Promise.resolve();
    for (const step of STEPS) answers.respond(step);
    expect([two, other, calls]).toEqual([
      ['x', '|'],
      ['a', 'b', '|'],
      [1, 0],
    ]);
    expect(collect(answers, 'model', 'one')).toEqual(['unrecorded', '|']);
  });

  it('claims a call that has no responses', async () => {
    const calls = [{ seam: 'mark', line: '["a"]' }];
    const answers = answerCalls({ steps: [], calls, lines: [], drawn: new Map() }, 'inOrder', ({ line }) => line);
    const made: number[] = [];
    answers.call$.subscribe((call) => made.push(call));
    answers.claim('mark', '["a"]');
    answers.claim('mark', '["b"]');
    await Promise.resolve();
    expect(made).toEqual([0]);
  });

  it('gives all responses at once to the same request only', () => {
    const answers = answerCalls(PLAN, 'atOnce', ({ line }) => line);
    expect(collect(answers, 'model', 'changed')).toEqual(['unrecorded', '|']);
    expect(collect(answers, 'executor', 'one')).toEqual(['unrecorded', '|']);
    expect(collect(answers, 'model', 'one')).toEqual(['a', 'b', '|']);
    expect(collect(answers, 'model', 'one')).toEqual(['unrecorded', '|']);
  });
});
