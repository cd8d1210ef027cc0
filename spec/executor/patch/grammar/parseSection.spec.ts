import { parseChunk, parseSection } from '../../../../src/executor/patch/grammar/parseSection';

const parse = (lines: string[], at = 0) => parseSection({ lines, firstLine: 10 }, at);
const chunk = (text: string, line: number) => ({
  contexts: [],
  lines: [{ kind: 'added', text }],
  anchor: 'anywhere',
  line,
});

describe('parseSection', () => {
  it.each<[string, string[], object, number]>([
    [
      'an added file',
      ['*** Add File: a b', '+x', '+', 'y'],
      { kind: 'add', path: 'a b', content: 'x\n\n', line: 10 },
      3,
    ],
    ['a header between blanks', ['  *** Add File: a  '], { kind: 'add', path: 'a', content: '', line: 10 }, 1],
    ['a deleted file', ['*** Delete File: a', 'x'], { kind: 'delete', path: 'a', line: 10 }, 1],
    [
      'an updated file',
      ['*** Update File: a', '@@', '+x', '', '@@', '+y', '*** Add File: b'],
      {
        kind: 'update',
        path: 'a',
        chunks: [
          {
            ...chunk('x', 11),
            lines: [
              { kind: 'added', text: 'x' },
              { kind: 'context', text: '' },
            ],
          },
          chunk('y', 14),
        ],
        line: 10,
      },
      6,
    ],
    [
      'a moved file',
      ['*** Update File: a', '*** Move to: b', '+x'],
      { kind: 'update', path: 'a', moveTo: 'b', chunks: [chunk('x', 12)], line: 10 },
      3,
    ],
  ])('reads %s', (_, lines, section, next) => {
    expect(parse(lines)).toEqual({ section, next });
  });

  it.each<[string[], number, string]>([
    [
      ['@@'],
      10,
      "'@@' is not a valid hunk header. Valid hunk headers: '*** Add File: {path}', '*** Delete File: {path}', '*** Update File: {path}'",
    ],
    [['*** Update File: a', ' ', '*** Add File: b'], 10, "Update file hunk for path 'a' is empty"],
    [['*** Update File: a', '@@'], 12, 'Update hunk does not contain any lines'],
    [['*** Update File: a', '+x', 'y'], 12, "Expected update hunk to start with a @@ context marker, got: 'y'"],
  ])('refuses %j', (lines, line, message) => {
    expect(parse(lines)).toEqual({ kind: 'invalidHunk', line, message });
  });

  it('reads from any line on', () => {
    expect(parse(['x', '*** Delete File: a'], 1)).toEqual({
      section: { kind: 'delete', path: 'a', line: 11 },
      next: 2,
    });
  });
});

const parseOne = (lines: string[], place: 'first' | 'later' = 'later', at = 0) =>
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
    expect(parseOne(lines)).toEqual({ chunk, next });
  });

  it('reads the first chunk of a file without its marker, from any line on', () => {
    expect(parseOne(['x', ' a'], 'first', 1)).toEqual({
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
    expect(parseOne(lines)).toEqual({ kind: 'invalidHunk', line, message });
  });
});
