import { join } from 'node:path';
import { noColours, toDiagram, toLegend, toPicture } from '../../src/transcript';
import { sessionFrom, sessionOf } from './support';

const options = { paint: noColours, width: 80 };
const tape = (name: string) => toPicture(sessionOf(join(__dirname, 'tapes', name)));
const symbols = (...lines: Parameters<typeof sessionFrom>): string =>
  toPicture(sessionFrom(...lines))
    .map(({ symbol }) => symbol)
    .join('');

const ask = (id: number, method: string, params: object = {}) => ({ id, method, params });

describe('toPicture', () => {
  it('draws a real session: two calls at once, a question each', () => {
    expect(toDiagram(tape('exec-approval-parallel.jsonl'), options)).toEqual([
      'request  i-ncc------------------------|',
      'answer   -I-----------------C--------C|',
      'event    -----SSTTE-E--OAGOK--MDOAGOK-|',
      'question ----------R-Rr------r--------|',
    ]);
  });

  it('draws a pause and a cancel', () => {
    expect(toDiagram(tape('cancel-stream.jsonl'), options)).toEqual([
      'request  i-nc---x- 1001ms o------|',
      'answer   -I------- 1001ms ------O|',
      'event    ----STA-U 1001ms -TAGKM-|',
    ]);
  });

  it('gives an answer the capital of its request, an error and what is no message signs of their own', () => {
    const drawn = symbols(
      [0, 'in', ask(1, 'ping')],
      [1, 'out', { id: 1, result: {} }],
      [2, 'in', ask(2, 'ping')],
      [3, 'out', { id: 2, error: { code: 1 } }],
      [4, 'in', 'no message'],
      [5, 'out', { id: 9, result: {} }],
    );
    expect(drawn).toBe('pPp!?U');
  });

  it('takes another letter where the first is taken, and one sign for all when none is left', () => {
    expect(symbols([0, 'in', ask(1, 'pa')], [1, 'in', ask(2, 'pb')], [2, 'in', ask(3, 'pa')])).toBe('pbp');
    const many = Array.from({ length: 30 }, (_, i): [number, string, object] => [i, 'in', ask(i, `m${i}`)]);
    expect(symbols(...many)).toMatch(/^[a-wyz]{25}\*{5}$/);
  });

  it('draws inner seams on lanes of their own, a run of answers to one call as one', () => {
    const session = sessionFrom([0, 'in', '{}'], [1, 'out', '{}'], [2, 'out', '{}'], [3, 'in', '{}'], [4, 'out', '{}']);
    const entries = session.entries.map((numbered, i) => ({
      ...numbered,
      entry: { ...numbered.entry, seam: 'model', call: i < 3 ? 1 : 2 },
    }));
    expect(toDiagram(toPicture({ meta: {}, entries }), options)).toEqual(['model    mMmM|']);
  });

  it('fits 80 columns, legend too', () => {
    const marbles = tape('reply-happy.jsonl');
    for (const line of [...toDiagram(marbles, options), ...toLegend(marbles, options)]) {
      expect(line.length).toBeLessThanOrEqual(80);
    }
  });
});
