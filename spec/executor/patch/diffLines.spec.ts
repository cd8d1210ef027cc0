import fc from 'fast-check';
import { diffLines, type Run } from '../../../src/executor/patch/diffLines';

const texts = (runs: readonly Run[]) => runs.map(({ kind, lines }) => `${kind}:${lines.join('')}`);
const sideOf = (runs: readonly Run[], other: Run['kind']) =>
  runs.filter(({ kind }) => kind !== other).flatMap(({ lines }) => lines);

describe('diffLines', () => {
  it.each([
    ['', '', []],
    ['abc', 'abc', ['same:abc']],
    ['', 'ab', ['added:ab']],
    ['ab', '', ['removed:ab']],
    ['abc', 'axc', ['same:a', 'removed:b', 'added:x', 'same:c']],
    ['abcd', 'xbcy', ['removed:a', 'added:x', 'same:bc', 'removed:d', 'added:y']],
    ['aab', 'ab', ['same:a', 'removed:a', 'same:b']],
  ])('goes from %j to %j', (before, after, expected) => {
    expect(texts(diffLines([...before], [...after]))).toEqual(expected);
  });

  const lines = fc.array(fc.constantFrom(...'abcde'), { maxLength: 20 });

  it('holds both texts', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const runs = diffLines(before, after);
        expect([sideOf(runs, 'added'), sideOf(runs, 'removed')]).toEqual([before, after]);
      }),
    );
  });

  it('splits texts that differ much at lines that stand once in both', () => {
    const other = (name: string) => Array.from({ length: 600 }, (_, at) => `${name}${at}`);
    const before = [...other('a'), 'ONE', ...other('b'), 'TWO', ...other('c')];
    const after = [...other('x'), 'ONE', ...other('b'), 'TWO', ...other('y')];
    const runs = diffLines(before, after);
    expect([sideOf(runs, 'added'), sideOf(runs, 'removed')]).toEqual([before, after]);
    expect(runs.map(({ kind, lines }) => [kind, lines.length])).toEqual([
      ['removed', 600],
      ['added', 600],
      ['same', 602],
      ['removed', 600],
      ['added', 600],
    ]);
  });

  it('does not set everything against everything in two large texts', () => {
    const mixed = (seed: number) => Array.from({ length: 50_000 }, (_, at) => `${(at * seed) % 9973}`);
    const [before, after] = [mixed(31), mixed(37)];
    const runs = diffLines(before, after);
    expect([sideOf(runs, 'added'), sideOf(runs, 'removed')]).toEqual([before, after]);
  });
});
