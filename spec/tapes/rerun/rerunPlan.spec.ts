import type { Entry } from '../../../src/tapes/format/tape';
import { toRerunPlan } from '../../../src/tapes/rerun/rerunPlan';

const entry = (dir: string, line: string, own: Partial<Entry> = {}): Entry => ({ t: 0, dir, line, ...own });
const model = (dir: string, call: number, line: string) => entry(dir, line, { seam: 'model', call });

const SEAMS = { chance: 'chance', choice: { seam: 'engine', inner: ['executor'] } };
const planOf = (entries: readonly Entry[]) =>
  toRerunPlan({ meta: {}, entries: entries.map((one, i) => ({ lineNumber: i + 2, entry: one })) }, SEAMS);

describe('toRerunPlan', () => {
  it('has inputs and outputs in their order, calls, and what was drawn', () => {
    const entries = [
      entry('in', 'call'),
      entry('out', '["id","x"]', { seam: 'chance' }),
      model('in', 0, 'ask'),
      model('in', 1, 'other'),
      model('out', 0, 'a'),
      model('out', 1, 'b'),
      model('note', 1, 'stopped'),
      model('out', 0, 'c'),
      ...['', '[not', '7', '[7,"x"]', 'null'].map((line) => entry('out', line, { seam: 'chance' })), // passed over
      entry('out', '["id","y"]', { seam: 'chance' }),
      entry('out', 'result'),
      entry('note', 'signal SIGTERM'),
      entry('note', 'standard input closed'),
    ];
    const plan = planOf(entries);
    expect(plan).toEqual({
      calls: [
        { seam: 'model', line: 'ask' },
        { seam: 'model', line: 'other' },
      ],
      lines: ['result'],
      drawn: new Map([['id', ['x', 'y']]]),
      steps: [
        { kind: 'send', line: 'call' },
        { kind: 'request', call: 0 },
        { kind: 'request', call: 1 },
        { kind: 'respond', call: 0, entry: entries[4], isLast: false },
        { kind: 'respond', call: 1, entry: entries[5], isLast: false },
        { kind: 'respond', call: 0, entry: entries[7], isLast: true },
        { kind: 'line' },
        { kind: 'stop', signal: 'SIGTERM' },
        { kind: 'end' },
      ],
    });
  });

  it('leaves out the processes that were started for a choice, as its result is given', () => {
    const at = (seam: string, dir: string, call: number, line: string) => entry(dir, line, { seam, call });
    const plan = planOf([
      at('engine', 'in', 1, 'auto'),
      at('executor', 'in', 1, 'asked'),
      at('timer 10', 'in', 1, 'null'),
      at('executor', 'out', 1, 'started'),
      at('engine', 'out', 1, 'native'),
      at('executor', 'in', 2, 'command'),
      at('executor', 'out', 2, 'closed'),
      at('executor', 'note', 1, 'stopped'),
    ]);
    expect(plan.calls.map(({ line }) => line)).toEqual(['auto', 'null', 'command']);
    expect(plan.steps.map(({ kind }) => kind)).toEqual(['request', 'request', 'respond', 'request', 'respond']);
  });
});
