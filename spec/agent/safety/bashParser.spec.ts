import { firstValueFrom } from 'rxjs';
import { bashReaders } from '../../../src/agent/safety/bashParser';
import type { ReadScript, Sequence } from '../../../src/agent/safety/script';
import type { Log } from '../../../src/protocol/log';
import { bashDeps } from './support';

const texts = (sequence: Sequence | undefined) => sequence?.map((words) => words.map(({ text }) => text));

/** The real grammar, with every file it reads and every word it logs. */
const watched = (readFile = bashDeps.readFile) => {
  const paths: string[] = [];
  const logged: string[] = [];
  const log: Log = (level, message) => logged.push(`${level}: ${message}`);
  const { read } = bashReaders({
    ...bashDeps,
    log,
    readFile: (path) => {
      paths.push(path);
      return readFile(path);
    },
  });
  return { read, paths, logged };
};

/** What a reader says before it returns; 'later' if it says nothing yet. */
const atOnce = (read: ReadScript, script: string): Sequence | undefined | 'later' => {
  const results: (Sequence | undefined | 'later')[] = ['later'];
  read(script).subscribe((sequence) => results.push(sequence));
  return results.at(-1);
};

const { runtime, bash } = bashDeps.wasm;

describe('bashParser', () => {
  const { read } = bashReaders(bashDeps);
  const words = async (script: string) => texts(await firstValueFrom(read(script)));

  it.each([
    ['ls', [['ls']]],
    ['  ls  ', [['ls']]],
    ['ls | wc -l && pwd || echo no; true', [['ls'], ['wc', '-l'], ['pwd'], ['echo', 'no'], ['true']]],
    ['ls\n\n\tpwd\n', [['ls'], ['pwd']]],
    ['ls ;', [['ls']]],
    ['echo "a b" \'c d\' 5', [['echo', 'a b', 'c d', '5']]],
    ["echo ''", [['echo', '']]],
    ['echo a\\ b', [['echo', 'a\\ b']]],
    ["echo 'a\nb'", [['echo', 'a\nb']]],
  ])('reads %j', async (script, expected) => {
    expect(await words(script)).toEqual(expected);
  });

  it('keeps each word as it was written', async () => {
    const sequence = await firstValueFrom(read('ls "a b"'));
    expect(sequence).toEqual([
      [
        { text: 'ls', raw: 'ls' },
        { text: 'a b', raw: '"a b"' },
      ],
    ]);
  });

  it.each([
    '',
    '  \n',
    '# c',
    'ls # c',
    'ls &',
    'ls &&',
    'ls > f',
    'ls 2>&1',
    'cat < f',
    'cat <<E\nE',
    '(ls)',
    '{ ls; }',
    '! ls',
    'echo $x',
    'echo "$x"',
    'echo `ls`',
    'echo ""',
    'echo "a\nb"',
    'echo a"$b"',
    'echo {a,b}',
    'echo [a]',
    'A=1 ls',
    'A=1',
    '"ls"',
    "'ls' -l",
    'if true; then ls; fi',
    'ls ; ; ls',
    'ls "open',
    "ls 'open",
    'ls \\',
    'export X',
  ])('does not read %j', async (script) => {
    expect(await words(script)).toBeUndefined();
  });

  it('reads the deepest script it accepts, and none that is longer', async () => {
    const deep = `${'a&&'.repeat(1365)}a`;
    expect((await words(deep))?.length).toBe(1366);
    expect(await words(`${deep}a`)).toBeUndefined();
  });

  it('loads nothing for scripts that cannot be plain words', () => {
    const { read, paths } = watched();
    const answers = ['ls > f', 'echo $x', '(ls)', 'ls &', 'echo "', 'x'.repeat(5000)].map((it) => atOnce(read, it));
    expect(answers).toEqual(answers.map(() => undefined));
    expect(paths).toEqual([]);
  });

  it('loads nothing before it is subscribed', () => {
    const { read, paths } = watched();
    read('ls');
    expect(paths).toEqual([]);
  });

  it('loads once, also for scripts that arrive while it loads, and then answers at once', async () => {
    const { read, paths } = watched();
    await Promise.all(['ls', 'pwd', 'ls'].map((script) => firstValueFrom(read(script))));
    expect(texts(atOnce(read, 'cat f') as Sequence)).toEqual([['cat', 'f']]);
    expect(paths).toEqual([runtime, bash]);
  });

  it('gives undefined and logs when the grammar is missing, and looks again for the next script', async () => {
    const answers = [Promise.reject(new Error('ENOENT'))];
    const { read, logged } = watched((path) => answers.pop() ?? bashDeps.readFile(path));
    expect(await firstValueFrom(read('ls'))).toBeUndefined();
    expect(logged).toEqual(['error: the bash grammar cannot be used, so scripts are not trusted']);
    expect(texts(await firstValueFrom(read('ls')))).toEqual([['ls']]);
  });
});
