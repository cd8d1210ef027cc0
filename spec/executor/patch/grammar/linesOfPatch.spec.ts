import { linesOfPatch } from '../../../../src/executor/patch/grammar/linesOfPatch';

const PATCH = ['*** Begin Patch', 'a', '*** End Patch'];
const BEGIN = { kind: 'invalidPatch', message: "The first line of the patch must be '*** Begin Patch'" };
const END = { kind: 'invalidPatch', message: "The last line of the patch must be '*** End Patch'" };

describe('linesOfPatch', () => {
  it.each([
    ['as it stands', PATCH.join('\n')],
    ['between blanks', `\n \t${PATCH.join('\n')}\n\n`],
    ['with carriage returns', PATCH.join('\r\n')],
    ['in a here-document', ['<<EOF', ...PATCH, 'EOF'].join('\n')],
    ['in a quoted one', ["<<'EOF'", ...PATCH, 'EOF'].join('\n')],
  ])('has the lines between the marks of a patch %s', (_, text) => {
    expect(linesOfPatch(text)).toEqual({ lines: ['a'], firstLine: 2 });
  });

  it('keeps a carriage return within a line', () => {
    expect(linesOfPatch(['*** Begin Patch', '+a\rb', '*** End Patch'].join('\n'))).toEqual({
      lines: ['+a\rb'],
      firstLine: 2,
    });
  });

  it.each([
    ['', END],
    ['a\n*** End Patch', BEGIN],
    ['*** Begin Patch\na', END],
    ['<<EOF\n*** Begin Patch\nEOF', BEGIN],
    ['<<"EOF"\n*** Begin Patch\na\nEOF', END],
  ])('refuses %j', (text, failure) => {
    expect(linesOfPatch(text)).toEqual(failure);
  });
});
