import fc from 'fast-check';
import { parsePatch } from '../../../../src/executor/patch/checkPatch';
import { anyText } from '../../../support/hostile';
import { patchOf } from '../support';

const sections = (...lines: readonly string[]) => {
  const patch = parsePatch(patchOf(...lines));
  return patch.kind === 'patch' ? patch.sections : patch;
};

const hunk = (line: number, message: string) => ({ kind: 'invalidHunk', line, message });
const BEGIN = { kind: 'invalidPatch', message: "The first line of the patch must be '*** Begin Patch'" };
const END = { kind: 'invalidPatch', message: "The last line of the patch must be '*** End Patch'" };

describe('parsePatch', () => {
  it('reads every kind of section, with the line each begins in', () => {
    expect(
      sections(
        ...['*** Add File: a', '+one', '+', '++two', '*** Add File: empty', '*** Delete File: d'],
        ...['*** Update File: u', '*** Move to: m', '@@ def f():', ' x', '-y', '+z', '', '*** End of File'],
      ),
    ).toEqual([
      { kind: 'add', path: 'a', content: 'one\n\n+two\n', line: 2 },
      { kind: 'add', path: 'empty', content: '', line: 6 },
      { kind: 'delete', path: 'd', line: 7 },
      {
        kind: 'update',
        path: 'u',
        moveTo: 'm',
        line: 8,
        chunks: [
          {
            contexts: ['def f():'],
            lines: [
              { kind: 'context', text: 'x' },
              { kind: 'removed', text: 'y' },
              { kind: 'added', text: 'z' },
              { kind: 'context', text: '' },
            ],
            anchor: 'endOfFile',
            line: 10,
          },
        ],
      },
    ]);
  });

  const chunk = (line: number, text: string, contexts: string[] = []) => ({
    contexts,
    line,
    anchor: 'anywhere',
    lines: [{ kind: 'added', text }],
  });

  it.each([
    ['a first chunk without its marker', ['+x'], [chunk(3, 'x')]],
    ['a marker without a context', ['@@', '+x'], [chunk(3, 'x')]],
    ['an empty context', ['@@ ', '+x'], [chunk(3, 'x', [''])]],
    ['contexts within each other', ['@@ class A', '@@ def f', '+x'], [chunk(3, 'x', ['class A', 'def f'])]],
    ['blank lines before a chunk', ['', '  ', '@@', '+x'], [chunk(5, 'x')]],
    ['two chunks', ['@@', '+x', '@@ c', '+y'], [chunk(3, 'x'), chunk(5, 'y', ['c'])]],
    [
      'a chunk behind the end of the file',
      ['@@', '+x', '*** End of File', '', '@@', '+y'],
      [{ ...chunk(3, 'x'), anchor: 'endOfFile' }, chunk(7, 'y')],
    ],
  ])('reads %s', (_, lines, chunks) => {
    expect(sections('*** Update File: f', ...lines)).toEqual([{ kind: 'update', path: 'f', line: 2, chunks }]);
  });

  it.each([
    ['blanks around the whole', `\n \u0085 ${patchOf('*** Delete File: d')} \u3000\n`],
    ['carriage returns', patchOf('*** Delete File: d').replaceAll('\n', '\r\n')],
    ['blanks around a header', patchOf('  *** Delete File: d\t')],
    ['a here-document around it', `<<EOF\n${patchOf('*** Delete File: d')}\nEOF\n`],
    ['one in quotes', `<<'EOF'\n${patchOf('*** Delete File: d')}\nEOF`],
    ['one in double quotes', `<<"EOF"\n${patchOf('*** Delete File: d')}\nxEOF`],
  ])('passes over %s', (_, text) => {
    expect(parsePatch(text)).toEqual({ kind: 'patch', sections: [{ kind: 'delete', path: 'd', line: 2 }] });
  });

  it.each([
    ['nothing', '', END],
    ['blanks', ' \n ', END],
    ['another text', 'nonsense', BEGIN],
    ['one line', '*** Begin Patch', END],
    ['no end', '*** Begin Patch\n*** Delete File: d', END],
    ['text behind it', `${patchOf('*** Delete File: d')}\nx`, END],
    ['text before it', `x\n${patchOf('*** Delete File: d')}`, BEGIN],
    ['a byte order mark', `\ufeff${patchOf('*** Delete File: d')}`, BEGIN],
    ['a blank behind the first line', '*** Begin Patch \n*** End Patch', BEGIN],
    ['another here-document', `<< EOF\n${patchOf()}\nEOF`, BEGIN],
    ['a here-document without a patch', '<<EOF\nx\ny\nEOF', BEGIN],
    ['too short a here-document', '<<EOF\n*** Begin Patch\nEOF', BEGIN],
    ['a here-document without the end of the patch', '<<EOF\n*** Begin Patch\nx\nEOF', END],
  ])('refuses %s', (_, text, failure) => {
    expect(parsePatch(text)).toEqual(failure);
  });

  const VALID = "Valid hunk headers: '*** Add File: {path}', '*** Delete File: {path}', '*** Update File: {path}'";
  const UPDATE = '*** Update File: f';
  const PREFIXES = "Every line should start with ' ' (context line), '+' (added line), or '-' (removed line)";

  it.each([
    ['an unknown header', ['*** Foo'], hunk(2, `'*** Foo' is not a valid hunk header. ${VALID}`)],
    ['a header without a path', ['*** Add File: '], hunk(2, `'*** Add File:' is not a valid hunk header. ${VALID}`)],
    [
      'a line behind an added file',
      ['*** Add File: a', '+x', 'y'],
      hunk(4, `'y' is not a valid hunk header. ${VALID}`),
    ],
    ['a blank line behind a section', ['*** Delete File: a', ''], hunk(3, `'' is not a valid hunk header. ${VALID}`)],
    ['a late move', [UPDATE, '+x', '*** Move to: g'], hunk(4, `'*** Move to: g' is not a valid hunk header. ${VALID}`)],
    ['an update of nothing', ['*** Add File: a', UPDATE], hunk(3, "Update file hunk for path 'f' is empty")],
    ['a move of nothing', [UPDATE, '*** Move to: g'], hunk(2, "Update file hunk for path 'f' is empty")],
    ['a marker at the end', [UPDATE, '@@'], hunk(4, 'Update hunk does not contain any lines')],
    ['an end before any line', [UPDATE, '@@', '*** End of File'], hunk(4, 'Update hunk does not contain any lines')],
    ['another line', [UPDATE, '@@', 'x'], hunk(4, `Unexpected line found in update hunk: 'x'. ${PREFIXES}`)],
    ['another first line', [UPDATE, 'x'], hunk(3, `Unexpected line found in update hunk: 'x'. ${PREFIXES}`)],
    [
      'a later chunk without its marker',
      [UPDATE, '@@', '+x', 'y'],
      hunk(5, "Expected update hunk to start with a @@ context marker, got: 'y'"),
    ],
  ])('names %s and its line', (_, lines, failure) => {
    expect(sections(...lines)).toEqual(failure);
  });

  it('counts lines from the first one of the patch inside a here-document too', () => {
    expect(parsePatch(`<<EOF\n${patchOf('x')}\nEOF`)).toMatchObject({ line: 2 });
  });

  it('takes 500 files, and no more', () => {
    const files = Array.from({ length: 501 }, (_, at) => `*** Delete File: ${at}`);
    expect(sections(...files.slice(1))).toHaveLength(500);
    expect(sections(...files)).toEqual(hunk(502, 'A patch may change 500 files; send the rest as another patch'));
  });

  it('refuses a text that is too long', () => {
    expect(parsePatch('x'.repeat(16_777_217))).toEqual({
      kind: 'invalidPatch',
      message: 'The patch has 16777217 characters and may have 16777216; send it in parts',
    });
  });

  it('reads megabytes of any text', () => {
    const many = (text: string) => Array.from({ length: 200_000 }, () => text).join('\n');
    expect(sections('*** Add File: a', many('+x'))).toHaveLength(1);
    expect(sections(UPDATE, many(''))).toEqual(hunk(2, "Update file hunk for path 'f' is empty"));
    expect(sections(UPDATE, many('@@ x'), '+y')).toHaveLength(1);
    expect(sections(UPDATE, '@@', many(` ${' '.repeat(40)}x`))).toHaveLength(1);
  });

  const line = fc.oneof(
    fc.constantFrom('*** Begin Patch', '*** End Patch', '*** Add File: a', '*** Delete File: b', '*** Update File: c'),
    fc.constantFrom(
      '*** Move to: d',
      '*** End of File',
      '@@',
      '@@ x',
      '+',
      '-',
      ' ',
      '',
      '+x',
      '-x',
      ' x',
      '<<EOF',
      'EOF',
    ),
    anyText(),
  );

  it('never throws, and names a line that is there', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        const patch = parsePatch(patchOf(...lines));
        if (patch.kind === 'invalidHunk') {
          const last = patchOf(...lines).split('\n').length;
          expect(patch.line).toBeGreaterThanOrEqual(2);
          expect(patch.line).toBeLessThanOrEqual(last);
        }
        parsePatch(lines.join('\n'));
      }),
      { numRuns: 1000 },
    );
  });
});
