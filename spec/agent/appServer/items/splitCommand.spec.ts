import fc from 'fast-check';
import { splitCommand } from '../../../../src/agent/appServer/items/items';

describe('splitCommand', () => {
  it.each([
    ['', []],
    ['ls  -l\tx', ['ls', '-l', 'x']],
    [`/bin/bash -lc 'echo "a b"'`, ['/bin/bash', '-lc', 'echo "a b"']],
    [`a"b c"d'e f'`, ['ab cde f']],
    [String.raw`"a \"b\" \$x \n"`, [String.raw`a "b" $x \n`]],
    [String.raw`a\ b \'`, ['a b', "'"]],
    [`'it'\\''s'`, ["it's"]],
    [`''`, ['']],
    [`open 'quote`, ['open', "'quote"]],
  ])('splits %j', (line, words) => {
    expect(splitCommand(line)).toEqual(words);
  });

  it('gives back any words that were quoted', () => {
    const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;
    fc.assert(
      fc.property(fc.array(fc.string()), (words) => {
        expect(splitCommand(words.map(quoted).join(' '))).toEqual(words);
      }),
    );
  });

  it('takes anything', () => {
    fc.assert(fc.property(fc.string(), (line) => splitCommand(line).every((word) => typeof word === 'string')));
  });
});
