import fc from 'fast-check';
import { type IndexRow, isSettled, readIndex, toIndexText, unchanged } from '../../../src/threads/listThreads';

const row: IndexRow = {
  path: 'a',
  size: 1,
  writtenMs: 2.5,
  ino: 3,
  cwd: '/w',
  provider: 'p',
  source: 's',
  cliVersion: '1',
  preview: 'hi',
};
const index = new Map([
  ['a', row],
  ['b', { ...row, path: 'b', size: 9 }],
]);

describe('readIndex', () => {
  it('reads what was written', () => {
    const text = fc.string();
    const number = fc.integer();
    const rows = fc.record({
      ...{
        size: number,
        writtenMs: fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => one + 0),
        ino: number,
      },
      ...{ path: text, cwd: text, provider: text, source: text, cliVersion: text, preview: text },
    });
    fc.assert(
      fc.property(fc.array(rows), (entries) => {
        const written = new Map(entries.map((entry) => [entry.path, entry]));
        expect(readIndex(toIndexText(written))).toEqual(written);
      }),
    );
  });

  it.each([
    ['a line that was cut off', toIndexText(index).slice(0, -20), ['a']],
    ['a line of something else', toIndexText(index).replace('"path":"a"', '"path":7'), ['b']],
    ['a line without a member', toIndexText(index).replace('"ino":3,', ''), ['b']],
    ['another version', toIndexText(index).replace('"version":1', '"version":2'), []],
    ['no version', toIndexText(index).split('\n').slice(1).join('\n'), []],
    ['nothing', '', []],
    ['bytes of something else', '\u0000\u0001{\n', []],
  ])('takes what is whole of an index with %s', (_, text, paths) => {
    expect([...readIndex(text).keys()]).toEqual(paths);
  });
});

describe('unchanged', () => {
  it.each([
    ['as it was', {}, row],
    ['longer', { size: 2 }, undefined],
    ['written later', { writtenMs: 2.6 }, undefined],
    ['another file of its name', { ino: 4 }, undefined],
  ])('knows a rollout that is %s', (_, change, expected) => {
    expect(unchanged(index, 'a', { size: 1, writtenMs: 2.5, ino: 3, ...change })).toEqual(expected);
  });

  it('does not know a rollout that is new', () => {
    expect(unchanged(index, 'c', row)).toBeUndefined();
  });
});

describe('isSettled', () => {
  it.each([
    [2_001, true],
    [2_000, false],
    [0, false],
    [-5_000, false],
  ])('counts a rollout written %d ms ago as settled: %j', (agoMs, expected) => {
    expect(isSettled({ ...row, writtenMs: 10_000 - agoMs }, 10_000)).toBe(expected);
  });
});
