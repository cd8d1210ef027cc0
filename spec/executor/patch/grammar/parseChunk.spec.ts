import { parseChunk } from '../../../../src/executor/patch/grammar/parseSection';

const parse = (lines: string[], place: 'first' | 'later' = 'later', at = 0) =>
  parseChunk({ lines, at, firstLine: 10, place });
const context = (text: string) => ({ kind: 'context', text });

describe('parseChunk', () => {
  it.each<[string, string[], object, number]>([
    [
      'a bare marker',
      ['@@', ' a', '-b', '+c'],
      {
        contexts: [],
        lines: [context('a'), { kind: 'removed', text: 'b' }, { kind: 'added', text: 'c' }],
        anchor: 'anywhere',
        line: 10,
      },
      4,
    ],
    [
      'contexts in a row',
      ['@@ f', '@@ g', ' a'],
      { contexts: ['f', 'g'], lines: [context('a')], anchor: 'anywhere', line: 10 },
      3,
    ],
    [
      'an empty line as context',
      ['@@', ' a', '', ' b'],
      { contexts: [], lines: [context('a'), context(''), context('b')], anchor: 'anywhere', line: 10 },
      4,
    ],
    [
      'the end of the file',
      ['@@', ' a', '*** End of File', ' b'],
      { contexts: [], lines: [context('a')], anchor: 'endOfFile', line: 10 },
      3,
    ],
    [
      'lines up to one of another kind',
      ['@@', ' a', '@@', ' b'],
      { contexts: [], lines: [context('a')], anchor: 'anywhere', line: 10 },
      2,
    ],
  ])('reads %s', (_, lines, chunk, next) => {
    expect(parse(lines)).toEqual({ chunk, next });
  });

  it('reads the first chunk of a file without its marker, from any line on', () => {
    expect(parse(['x', ' a'], 'first', 1)).toEqual({
      chunk: { contexts: [], lines: [context('a')], anchor: 'anywhere', line: 11 },
      next: 2,
    });
  });

  it.each<[string[], number, string]>([
    [[' a'], 10, "Expected update hunk to start with a @@ context marker, got: ' a'"],
    [['@@'], 11, 'Update hunk does not contain any lines'],
    [['@@', '*** End of File'], 11, 'Update hunk does not contain any lines'],
    [
      ['@@', 'x'],
      11,
      "Unexpected line found in update hunk: 'x'. Every line should start with ' ' (context line), '+' (added line), or '-' (removed line)",
    ],
  ])('refuses %j', (lines, line, message) => {
    expect(parse(lines)).toEqual({ kind: 'invalidHunk', line, message });
  });
});
