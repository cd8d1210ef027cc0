import { bufferedLines, MAX_SECRET_CHARS } from '../../../src/tapes/format/redactionBuffer';
import type { Entry } from '../../../src/tapes/format/tape';

const entry = (params: object, t: number): Entry => ({
  t,
  dir: 'out',
  line: JSON.stringify({ method: 'item/agentMessage/delta', params }),
});
const piece = (itemId: string, delta: string, t = 0): Entry => entry({ itemId, delta }, t);
const other = (t = 0): Entry => ({ t, dir: 'out', line: '{"method":"thread/name"}' });

/** Lines of which the texts of these items are open. */
const bufferOf = (items: readonly string[], lines: readonly Entry[]) => {
  const has = (key: string) => items.some((item) => key.includes(item));
  const redact = (text: string) => text.replaceAll('SECRET', '[redacted]');
  const buffered = bufferedLines({ open: { has }, redact });
  for (const line of lines) buffered.add(line);
  return buffered;
};
const times = (lines: readonly Entry[]): number[] => lines.map(({ t }) => t);

describe('bufferedLines', () => {
  it('gives all lines where no text is open, without the secrets that pieces split', () => {
    const buffered = bufferOf([], [piece('a', 'x SEC', 1), other(2), piece('a', 'RET y', 3)]);
    expect([buffered.count(), buffered.isFirstOpen()]).toEqual([3, false]);
    const texts = buffered.release().map(({ line }) => JSON.parse(line).params?.delta);
    expect([texts, buffered.count(), buffered.release()]).toEqual([['x [redacted]', undefined, ' y'], 0, []]);
  });

  it('keeps the end of an open text, and what came after it', () => {
    const buffered = bufferOf(['b'], [piece('a', 'x', 1), piece('b', 'y', 2), piece('a', 'z', 3)]);
    expect([buffered.isFirstOpen(), times(buffered.release())]).toEqual([false, [1]]);
    buffered.add(other(4));
    expect([buffered.count(), buffered.isFirstOpen(), times(buffered.release())]).toEqual([3, true, []]);
  });

  it('redacts a text once one of its lines can be written, so that many open texts cost no more than one', () => {
    const redact = jest.fn((text: string) => text);
    const buffered = bufferedLines({ open: { has: (key) => key.includes('"b"') }, redact });
    const texts = [piece('a', 'x'), piece('b', 'p'), piece('a', 'y'), piece('b', 'q')];
    for (const line of [piece('c', 'u'), piece('c', 'v'), ...texts]) buffered.add(line);
    expect([buffered.release().length, redact.mock.calls.map(([text]) => text)]).toEqual([3, ['uv', 'xy']]);
  });

  it('gives what is further back in an open text than a secret is long', () => {
    const half = 'x'.repeat(MAX_SECRET_CHARS / 2);
    const buffered = bufferOf(
      ['a'],
      [1, 2, 3, 4].map((t) => piece('a', half, t)),
    );
    expect(times(buffered.release())).toEqual([1, 2]);
  });
});
