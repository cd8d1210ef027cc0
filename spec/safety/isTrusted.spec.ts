import fc from 'fast-check';
import { firstValueFrom } from 'rxjs';
import { bashParser, isTrusted, type ReadScript, type Sequence } from '../../src/safety';
import { marbles } from '../support/marbles';
import { bashDeps, casesOf } from './support';

const judge = isTrusted({ read: bashParser(bashDeps) });
const trusts = (argv: readonly string[]): Promise<boolean> => firstValueFrom(judge(argv));
const trustsScript = (script: string): Promise<boolean> => trusts(['bash', '-lc', script]);

/** A line as an argv, for words without blanks. */
const argvOf = (line: string): string[] => line.split(' ');

const ls: Sequence = [[{ text: 'ls', raw: 'ls' }]];
const rm: Sequence = [...ls, [{ text: 'rm', raw: 'rm' }]];
const read = { a: ls, r: rm, u: undefined };
const verdicts = { T: true, F: false };

describe('isTrusted', () => {
  it(
    'answers a plain argv at once, without the grammar',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const grammar$ = cold<Sequence>('---(a|)', { a: ls });
      const read: ReadScript = () => grammar$;
      expectObservable(isTrusted({ read })(['ls', '-l'])).toBe(' (T|)', verdicts);
      expectObservable(isTrusted({ read })(['rm', 'x'])).toBe('  (F|)', verdicts);
      expectObservable(isTrusted({ read })([])).toBe('           (F|)', verdicts);
      expectSubscriptions(grammar$.subscriptions).toBe([]);
    }),
  );

  it(
    'answers a script when the grammar has read it',
    marbles(({ cold, expectObservable }) => {
      const answers = (grammar: string) =>
        isTrusted({ read: () => cold<Sequence | undefined>(grammar, read) })(['bash', '-lc', 'ls']);
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
      expectObservable(isTrusted({ read: () => grammar$ })(['bash', '-lc', 'ls $x'])).toBe('(F|)', verdicts);
      expectSubscriptions(grammar$.subscriptions).toBe([]);
    }),
  );

  it(
    'stops asking the grammar when nobody listens',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const grammar$ = cold<Sequence>('   -----(a|)', { a: ls });
      const stop = '                      ---!';
      expectObservable(isTrusted({ read: () => grammar$ })(['bash', '-lc', 'ls']), stop).toBe('----');
      expectSubscriptions(grammar$.subscriptions).toBe('^--!');
    }),
  );

  describe('of programs', () => {
    it.each([
      ...['find . -name x -type f -print0', 'find . ! -name x -o -empty', 'find . -depth -maxdepth 2'],
      ...['rg -n x src', 'rg -A3 -gz x', 'rg -e zip', 'rg --pre-glob *.x x', 'rg --files --sort path'],
      ...['sed -n 3p f', 'sed -n 3,5p f', 'grep -rnE x .', 'tail -n +5 f', 'which ls'],
      ...[
        'git status',
        'git status -sb --porcelain=v2',
        'git diff --cached --stat HEAD~1 -- src',
        'git diff -U3 -M90% a..b',
      ],
      ...[
        'git log --oneline -5 --graph',
        'git log -n 5 --format=%h --since=1.week -Sname',
        'git show HEAD^ --name-only',
      ],
      ...[
        'git branch',
        'git branch -a -vv',
        'git branch --show-current',
        'git branch --list x*',
        'git branch --contains HEAD',
      ],
      ...['git branch --sort=-committerdate --format=%(refname)', 'git branch --merged main'],
    ])('trusts %s', async (line) => {
      expect(await trusts(argvOf(line))).toBe(true);
    });

    it.each([
      ...['find . -delete', 'find . -exec rm', 'find . -execdir x', 'find . -ok x', 'find . -okdir x', 'find . -fls f'],
      ...['find . -fprint f', 'find . -fprint0 f', 'find . -fprintf f', 'find . -delet', 'find -- . -delete'],
      ...[
        'rg --pre x y',
        'rg --pre=x y',
        'rg --pr x y',
        'rg --hostname-bin=x y',
        'rg --hostname x y',
        'rg -z x',
        'rg -nz x',
      ],
      ...['rg -uuz x', 'rg --search-zip=1 x', 'rg --search x', 'rg -f -- --pre=x y'],
      ...[
        'sed -i s/a/b/ f',
        'sed -n 1p -i',
        'sed -n 1p -e1e',
        'sed -n 1p --expression=1e',
        'sed -n 1p f g',
        'sed -n 1w f',
      ],
      ...['git', 'git -c core.pager=x log', 'git -C x status', 'git --no-pager log', 'git -p log', 'git fetch'],
      ...[
        'git diff --output=f',
        'git diff --output f',
        'git log --outp=f',
        'git show --out=f',
        'git log --grep -- --output=f',
      ],
      ...['git diff --ext-diff', 'git show --textconv', 'git log --ext', 'git diff --no-index a b', 'git diff -Of'],
      ...['git log --show-signature', 'git log --format=%G?', 'git log --pretty=%h%+GG', 'git log --submodule=log'],
      ...[
        'git branch new',
        'git branch -- new',
        'git branch -D x',
        'git branch -d x',
        'git branch --delete x',
        'git branch -m x',
      ],
      ...[
        'git branch -Mx',
        'git branch -Cx',
        'git branch -f x',
        'git branch -l x',
        'git branch -u x',
        'git branch -v x',
      ],
      ...['git branch --sort --list new', 'git branch --format --list new', 'git branch -- new --list'],
      ...[
        'git branch --format=%(signature)',
        'git branch --sort=signature',
        'git branch --edit-description',
        'git branch -a new',
      ],
      ...['cargo check', '/bin/ls', './ls', 'LS', 'sudo ls', 'env ls', 'constructor', '__proto__', 'toString x'],
      ...[
        'sh -c ls',
        'bash -c ls',
        '/bin/bash -lc ls',
        'bash -cl ls',
        'bash -lc ls x',
        'bash -lc',
        'bash -lic ls',
        'zsh -lc ls',
      ],
    ])('asks about %s', async (line) => {
      expect(await trusts(argvOf(line))).toBe(false);
    });

    it('asks about a sed without a file', async () => {
      expect(await trusts(['sed', '-n', '1p', ''])).toBe(false);
    });
  });

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

  describe('of anything', () => {
    const before = fc.string({ unit: fc.constantFrom(...'abc -=*./~;|\n[]{}!'), maxLength: 20 });
    const active = fc.constantFrom('$', '`', '>', '<', '(', ')', '&', '\\', ' #', '\r', '\0', '\u00a0');
    const after = fc.string({ unit: fc.constantFrom(...'abc -;|'), maxLength: 9 });

    it('never trusts a script with an active character outside quotes', async () => {
      await fc.assert(
        fc.asyncProperty(before, active, after, async (...parts) => {
          expect(await trustsScript(`ls ${parts.join('')}`)).toBe(false);
        }),
      );
    });

    it('never trusts a script whose commands are not all on the list', async () => {
      const bad = fc.constantFrom(
        'rm',
        'sh',
        'touch',
        'find . -delete',
        'rg --pre=x y',
        'git branch x',
        'cargo check',
        '"ls"',
      );
      const join = fc.constantFrom(' && ', ' || ', ' | ', '; ', '\n');
      const good = fc.array(fc.constantFrom('ls', 'cat f', "echo 'a;b'", 'git status', 'find .'), { maxLength: 4 });
      await fc.assert(
        fc.asyncProperty(good, bad, good, join, async (before, it, after, by) => {
          expect(await trustsScript([...before, it, ...after].join(by))).toBe(false);
          expect(await trustsScript([...before, 'ls', ...after].join(by))).toBe(true);
        }),
      );
    });

    it('answers every argv once, whatever it holds', async () => {
      const word = fc.string({ unit: 'binary', maxLength: 40 });
      const argv = fc.oneof(
        fc.array(word),
        word.map((script) => ['bash', '-lc', script]),
      );
      await fc.assert(fc.asyncProperty(argv, async (it) => expect(typeof (await trusts(it))).toBe('boolean')));
    });

    it('answers a script of a megabyte', async () => {
      const huge = ['x', ' ', '\\(', "''", '" ', '\\', 'ls;'].map((it) => it.repeat(1_000_000 / it.length));
      expect(await Promise.all(huge.map(trustsScript))).toEqual(huge.map(() => false));
    });
  });

  describe('beside Codex 0.28.0', () => {
    type Recorded = { id: string; argv: string[]; asks: boolean; original_hole?: string };
    const recorded = casesOf<Recorded>('safe_commands_dev');

    /** Where we ask and it did not, by reason. */
    const stricter: Record<string, string[]> = {
      'cargo check runs build scripts': ['sc161', 'sc162', 'sc300'],
      'a branch is deleted': ['sc156'],
      'a file is written': ['sc157'],
      'a configured program is run': ['sc159'],
      'rg runs a decompressor': ['sc126', 'sc127'],
      'what begins like a flag that acts': ['sc112'],
      'a backslash outside quotes: hides a flag': ['sc381', 'sc382', 'sc383', 'sc385'],
      'a backslash outside quotes: no need to tell these apart': ['sc235', 'sc248'],
      'a line continued: bash joins what the grammar splits': ['sc311', 'sc312'],
    };

    it('trusts nothing that the original asks about', async () => {
      const asked = recorded.filter(({ asks }) => asks);
      const trusted = await Promise.all(asked.map(({ argv }) => trusts(argv)));
      expect(asked.filter((_, at) => trusted[at])).toEqual([]);
    });

    it('asks about these, and only these, that the original trusts', async () => {
      const unasked = recorded.filter(({ asks }) => !asks);
      const trusted = await Promise.all(unasked.map(({ argv }) => trusts(argv)));
      const ids = unasked.filter((_, at) => !trusted[at]).map(({ id }) => id);
      expect(ids.sort()).toEqual(Object.values(stricter).flat().sort());
    });

    it('asks about every hole that was found in the original', async () => {
      const holes = recorded.filter(({ original_hole }) => original_hole !== undefined);
      expect(await Promise.all(holes.map(({ argv }) => trusts(argv)))).toEqual(holes.map(() => false));
    });
  });
});
