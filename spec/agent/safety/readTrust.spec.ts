import { firstValueFrom } from 'rxjs';
import { bashReaders } from '../../../src/agent/safety/bashParser';
import type { ReadScript, Sequence } from '../../../src/agent/safety/script';
import { marbles } from '../../support/marbles';
import { bashDeps, trustOf } from './support';

const judge = trustOf({ read: bashReaders(bashDeps).read });
const trusts = (argv: readonly string[]): Promise<boolean> => firstValueFrom(judge(argv));
const trustsScript = (script: string): Promise<boolean> => trusts(['bash', '-lc', script]);

const ls: Sequence = [[{ text: 'ls', raw: 'ls' }]];
const rm: Sequence = [...ls, [{ text: 'rm', raw: 'rm' }]];
const read = { a: ls, r: rm, u: undefined };
const verdicts = { T: true, F: false };

describe('readTrust', () => {
  it(
    'answers a plain argv at once, without the grammar',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const grammar$ = cold<Sequence>('---(a|)', { a: ls });
      const read: ReadScript = () => grammar$;
      expectObservable(trustOf({ read })(['ls', '-l'])).toBe(' (T|)', verdicts);
      expectObservable(trustOf({ read })(['rm', 'x'])).toBe('  (F|)', verdicts);
      expectObservable(trustOf({ read })([])).toBe('           (F|)', verdicts);
      expectSubscriptions(grammar$.subscriptions).toBe([]);
    }),
  );

  it(
    'answers a script when the grammar has read it',
    marbles(({ cold, expectObservable }) => {
      const answers = (grammar: string) =>
        trustOf({ read: () => cold<Sequence | undefined>(grammar, read) })(['bash', '-lc', 'ls']);
      expectObservable(answers('---(a|)')).toBe('---(T|)', verdicts);
      expectObservable(answers('---(r|)')).toBe('---(F|)', verdicts); // one bad command spoils all
      expectObservable(answers('---(u|)')).toBe('---(F|)', verdicts);
      expectObservable(answers('-------')).toBe('-------', verdicts);
    }),
  );

  it(
    'answers a script with active characters at once',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const grammar$ = cold<Sequence>('---(a|)', { a: ls });
      expectObservable(trustOf({ read: () => grammar$ })(['bash', '-lc', 'ls $x'])).toBe('(F|)', verdicts);
      expectSubscriptions(grammar$.subscriptions).toBe([]);
    }),
  );

  it(
    'stops asking the grammar when nobody listens',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const grammar$ = cold<Sequence>('   -----(a|)', { a: ls });
      const stop = '                      ---!';
      expectObservable(trustOf({ read: () => grammar$ })(['bash', '-lc', 'ls']), stop).toBe('----');
      expectSubscriptions(grammar$.subscriptions).toBe('^--!');
    }),
  );

  it.each(['sh -c ls', 'bash -c ls', '/bin/bash -lc ls', 'bash -cl ls', 'bash -lc ls x', 'bash -lc', 'zsh -lc ls'])(
    'asks about %s: no script but that of bash -lc is read',
    async (line) => {
      expect(await trusts(line.split(' '))).toBe(false);
    },
  );

  describe('of scripts', () => {
    it.each([
      ...[
        'cd src && ls -la | grep x | wc -l; true',
        'ls\npwd',
        "find . -name '*.ts' | head",
        'find . \\( -name a -o -name b \\)',
      ],
      ...[
        'rg "fn main\\(" src',
        "rg 'a|b' .",
        'git log "--oneline" | cat',
        'git show HEAD~2:src/a.ts',
        'sed -n 1,5p a.ts',
      ],
      ...[
        'ls *.ts',
        'ls ~/x',
        'cat a?',
        'echo a#b !',
        'echo ü 😀',
        'cat "ü b"',
        "rg 'ü'",
        'echo "a\\"b"',
        'ls }',
        'echo ]',
      ],
      ...[
        "git log --format='%h %s' -5",
        'git --no-pager log --pretty=format:"%h %an" -n 5',
        "find . -name '*'.ts",
        `rg 'it'"'"'s' src`,
        "cat ~/'a b'",
      ],
    ])('trusts %j', async (script) => {
      expect(await trustsScript(script)).toBe(true);
    });

    it.each([
      // names that only a shell completes
      ...[
        'find . -delet\\e',
        'find . \\-delete',
        'find . -del\\\nete',
        'find . "-del\\\nete"',
        "find . '-delete'",
        'find . "-delete"',
      ],
      ...['find . -delet?', 'find *', 'rg x *', 'git diff *', 'rg --pr\\e=x y', 'rg "--pr\\\ne=x" y', 'git dif[f]'],
      // words of several parts
      ...[
        `git log '--out'put=x`,
        `git log --out"put"=x`,
        "git log --format='%G?'",
        "find . -'delete'",
        `find . -de"le"te`,
      ],
      ...["rg --'pre'=x y", "git 'log'{a,--output=x}", "ls 'a'$(rm x)", "ls 'a'`rm x`", "l's'; r'm' x", "A='1' ls"],
      // words that bash and the grammar split differently
      ...['ls\rpwd', 'cat a\vb', 'find .\u00a0-name x', 'find . à-name', 'ls \\\n -l', 'ls\\\npwd', 'find .\\ -name x'],
      // more than words
      ...[
        'ls; rm x',
        'ls | sh',
        'ls > f',
        'ls &',
        'ls && (pwd)',
        'echo $(rm x)',
        'echo `rm x`',
        'cat <(rm x)',
        'A=1 ls',
        'ls # c',
      ],
      ...[
        'ls |& cat',
        'cat <<< x',
        'echo "$x"',
        "echo $'x'",
        'if ls; then ls; fi',
        'ls() { rm x; }; ls',
        '\\ls',
        '"ls"',
        '',
      ],
    ])('asks about %j', async (script) => {
      expect(await trustsScript(script)).toBe(false);
    });
  });
});
