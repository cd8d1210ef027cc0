import { readInstructions } from '../../src/settings/readInstructions';

const read = (text: string | undefined | Error, name = 'i.md') =>
  readInstructions(
    {
      cwd: '/w',
      readFile: (path) => {
        if (text instanceof Error) throw text;
        return text?.replace('PATH', path);
      },
    },
    name,
    'here',
  );
const expected = ', expected a text file with instructions';

describe('readInstructions', () => {
  it.each([
    ['i.md', '/w/i.md'],
    ['../i.md', '/i.md'],
    ['/a/i.md', '/a/i.md'],
  ])('reads %s from the folder of the thread, without blanks around it', (name, path) => {
    expect(read(' \nPATH\n', name)).toBe(path);
  });

  it.each([
    ['no file     ', undefined, `here: failed to read experimental instructions file /w/i.md: no such file${expected}`],
    ['an empty one', ' \n', `here: experimental instructions file is empty: /w/i.md${expected}`],
    ['one in doubt', new Error('EACCES: no'), '/w/i.md: cannot be read: EACCES: no'],
  ])('throws for %s', (_, text, message) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ message }));
  });
});
