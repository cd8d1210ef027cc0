import fc from 'fast-check';
import { readHereDocument } from '../../../src/executor/applying/findPatch';

const read = (script: string) => readHereDocument(script, ['apply_patch', 'applypatch']);

describe('readHereDocument', () => {
  it.each([
    ['a document               ', 'apply_patch <<EOF\na\nb\nEOF\n', { body: 'a\nb' }],
    ['another name             ', 'applypatch <<EOF\na\nEOF', { body: 'a' }],
    ['a quoted end             ', "apply_patch <<'E F'\na\nE F\n", { body: 'a' }],
    ['a backslash at the end   ', 'apply_patch <<\\EOF\na\nEOF', { body: 'a' }],
    ['one without its last line', 'apply_patch <<EOF\na\n\n', { body: 'a' }],
    ['tabs that are dropped    ', 'apply_patch <<-EOF\n\t\ta\n\tEOF', { body: 'a' }],
    ['tabs that are kept       ', 'apply_patch <<EOF\n\ta\nEOF', { body: '\ta' }],
    ['a folder                 ', 'cd d/e && apply_patch <<EOF\na\nEOF', { folder: 'd/e', body: 'a' }],
    ['a folder in quotes       ', 'cd "d e" && apply_patch <<EOF\na\nEOF', { folder: 'd e', body: 'a' }],
    ['blanks behind the end    ', 'apply_patch <<EOF\na\nEOF  \n \n', { body: 'a' }],
    ['what bash would expand   ', 'apply_patch <<EOF\n$HOME `x`\nEOF', { body: '$HOME `x`' }],
    ['no document              ', 'apply_patch a', undefined],
    ['another program          ', 'cat <<EOF\na\nEOF', undefined],
    ['more behind it           ', 'apply_patch <<EOF\na\nEOF\nrm -r x', undefined],
    ['more in its first line   ', 'apply_patch <<EOF; rm x\na\nEOF', undefined],
    ['a folder that is expanded', 'cd $d && apply_patch <<EOF\na\nEOF', undefined],
    ['the folder before        ', 'cd - && apply_patch <<EOF\na\nEOF', undefined],
    ['an empty folder          ', 'cd "" && apply_patch <<EOF\na\nEOF', undefined],
    ['a program before it      ', 'rm x && apply_patch <<EOF\na\nEOF', undefined],
  ])('reads %s', (_, script, expected) => {
    expect(read(script)).toEqual(expected);
  });

  it('reads back any lines that do not end the document', () => {
    const line = fc.string().filter((text) => !text.includes('\n') && text.trimEnd() !== 'EOF');
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const body = lines.join('\n').replace(/\n+$/, '');
        expect(read(`apply_patch <<EOF\n${body}\nEOF\n`)).toEqual({ body });
      }),
    );
  });
});
