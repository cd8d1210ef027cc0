import { join } from 'node:path';
import { colours, noColours } from '../../../src/io/terminal/paint';
import { toTerminal } from '../../../src/tapes/drawing/toTerminal';
import { faultsOf, HOSTILE } from '../../support/hostile';
import { sessionFrom, sessionOf } from '../../support/tapes';
import { draw } from '../diagram/tapes';

const options = { paint: noColours, width: 80, axis: 'ordinal' } as const;
const tape = (name: string) => draw(sessionOf(join(__dirname, '../../fixtures/tapes', name)));
/** What stands above the first blank line. */
const picture = (lines: string[]): string[] => lines.slice(0, lines.indexOf(''));
const drawn = (name: string, axis: 'ordinal' | 'linear' = 'ordinal'): string[] =>
  picture(toTerminal(tape(name), { ...options, axis }));

describe('toTerminal', () => {
  it('draws a real session: two calls at once, a question each, a lane for each kind of notification', () => {
    expect(drawn('exec-approval-parallel.jsonl')).toEqual([
      'request  i-ncc------------------------|',
      'answer   -I--===============C========C|',
      'question ----------R=Rr======r--------|',
      'session  -----SS----------------------|',
      'task     -------TT---------K--------K-|',
      'exec     ---------E-E---------MD------|',
      'token    --------------O--O-----O--O--|',
      'agent    ---------------AG-------AG---|',
    ]);
  });

  it('draws a pause and a cancel; nothing is waited for after that', () => {
    expect(drawn('cancel-stream.jsonl')).toEqual([
      'request  i-nc---x- 1001ms o------|',
      'answer   -I--===-- 1001ms -=====O|',
      'session  ----S---- 1001ms -------|',
      'task     -----T--- 1001ms -T---M-|',
      'agent    ------A-- 1001ms --AG---|',
      'turn     --------U 1001ms -------|',
      'token    --------- 1001ms ----K--|',
    ]);
  });

  it('draws by the clock; marbles on one spot are their number', () => {
    const session = sessionFrom(
      [0, 'in', { id: 1, method: 'ping' }],
      [0, 'in', { id: 2, method: 'ping' }],
      [500, 'out', { id: 1, result: {} }],
      [1000, 'out', { id: 2, error: { code: 1 } }],
    );
    expect(picture(toTerminal(draw(session), { ...options, width: 40, axis: 'linear' }))).toEqual([
      '             0 ms',
      'request      2-------------------------|',
      'answer       ------------P------------!|',
    ]);
  });

  it('draws tens of thousands of calls that never end in linear time', () => {
    const lines = Array.from(
      { length: 40_000 },
      (_, id) => [id, 'in', { id, method: 'ping' }] as [number, string, object],
    );
    expect(picture(toTerminal(draw(sessionFrom(...lines)), { ...options, axis: 'linear' }))).toHaveLength(2);
  }, 10_000);

  it('draws inner seams on lanes of their own, a run of answers to one call as one', () => {
    const session = sessionFrom([0, 'in', '{}'], [1, 'out', '{}'], [2, 'out', '{}'], [3, 'in', '{}'], [4, 'out', '{}']);
    const entries = session.entries.map((numbered, i) => ({
      ...numbered,
      entry: { ...numbered.entry, seam: i < 3 ? 'model' : 'executor', call: 1 },
    }));
    expect(picture(toTerminal(draw({ meta: {}, entries }), options))).toEqual(['model    mM--|', 'executor --eE|']);
  });

  it.each(['ordinal', 'linear'] as const)('fits 80 columns, %s, legend too', (axis) => {
    for (const name of ['reply-happy.jsonl', 'v0.142.0-approval_exec.jsonl', 'proto-garbage.jsonl']) {
      for (const line of toTerminal(tape(name), { ...options, axis })) expect(line.length).toBeLessThanOrEqual(80);
    }
  });

  it('paints lanes where colours are wanted', () => {
    const chart = draw(sessionFrom([0, 'in', { id: 1, method: 'ping' }]));
    expect(toTerminal(chart, { ...options, paint: colours })[0]).toBe('\u001b[36mrequest  p|\u001b[0m');
  });

  it.each(['ordinal', 'linear'] as const)('shows what would command the terminal, %s', (axis) => {
    const chart = draw(
      sessionFrom([0, 'in', { id: 1, method: HOSTILE }], [1, 'out', { method: `${HOSTILE}/${HOSTILE}` }]),
    );
    expect(faultsOf(toTerminal(chart, { ...options, axis }).join('\n'))).toEqual([]);
    const painted = toTerminal(chart, { ...options, axis, paint: colours }).join('\n');
    expect(faultsOf(painted.replaceAll(/\u001b\[(36|34|0)m/g, ''))).toEqual([]);
  });
});
