/** Programs on Windows: which file a name finds there, and what the command interpreter gets. */
import { windowsStart } from '../../../src/io/processes/spawnHere';

const FILES = [
  'C:\\Tools\\git.exe',
  'C:\\Program Files\\nodejs\\npx.cmd',
  'C:\\repo\\git.exe',
  'C:\\repo\\bin\\tool.bat',
  'C:\\Tools\\plain',
];
const isFile = (path: string) => FILES.includes(path);
const PLACE = { cwd: 'C:\\repo', env: { Path: '.;bin;"C:\\Program Files\\nodejs";C:\\Tools', SystemRoot: 'D:\\Win' } };

const start = (...argv: string[]) => windowsStart({ isFile }, argv, PLACE);

describe('a program on Windows', () => {
  it.each([
    ['by its name, in PATH and never in the folder of the child', 'git', 'C:\\Tools\\git.exe'],
    ['by its name with the ending', 'git.exe', 'C:\\Tools\\git.exe'],
    ['by its path from the folder of the child', '.\\git', 'C:\\repo\\git.exe'],
    ['by its path with slashes', 'C:/Tools/git.exe', 'C:\\Tools\\git.exe'],
    ['nowhere, as a file without an ending is no program', 'plain', undefined],
  ])('is found %s', (_, name, program) => {
    if (program === undefined)
      expect(() => start(name)).toThrow(expect.objectContaining({ code: 'ENOENT', path: name }));
    else expect(start(name, 'a b')).toEqual({ program, args: ['a b'], isVerbatim: false });
  });

  it.each([
    ['-y', '"-y"'],
    ['', '""'],
    ['a & calc | b > c ^ (d)', '"a & calc | b > c ^ (d)"'],
    ['" & calc & "', '""" & calc & """'],
    ['\\" & calc', '"\\\\"" & calc"'],
    ['ends in \\', '"ends in \\\\"'],
    ['%PATH%', '"%%cd:~,%PATH%%cd:~,%"'],
    ['!PATH!', '"!PATH!"'],
  ])('that is a batch file gets %j as %s', (arg, quoted) => {
    expect(start('npx', arg)).toEqual({
      program: 'D:\\Win\\System32\\cmd.exe',
      args: ['/e:ON', '/v:OFF', '/d', '/c', `""C:\\Program Files\\nodejs\\npx.cmd" ${quoted}"`],
      isVerbatim: true,
    });
  });

  it.each(['\n', '\r', '\0'])('that is a batch file is not started with %j in an argument', (sign) => {
    expect(() => start('bin\\tool', `a${sign}calc`)).toThrow(/^The batch file .*tool\.bat can take no line breaks/);
  });
});
