import fc from 'fast-check';
import { firstValueFrom } from 'rxjs';
import { bashReaders } from '../../../src/agent/safety/bashParser';
import { anyText } from '../../support/hostile';
import { bashDeps, trustOf } from './support';

const judge = trustOf({ read: bashReaders(bashDeps).read });
const trusts = (argv: readonly string[]): Promise<boolean> => firstValueFrom(judge(argv));
const trustsScript = (script: string): Promise<boolean> => trusts(['bash', '-lc', script]);

describe('readTrust of anything', () => {
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

  it.each([
    "nl f | sed -n '3,5p'",
    'cat f | sort -rn | uniq -c | sort -k 2 -t , | head',
    "grep x f | cut -d ' ' -f 2,3 | tr a b | tac | rev",
    'ls a 2>/dev/null | wc -l',
    'ls >/dev/null 2>&1 && echo yes',
    'rg x &>/dev/null; git ls-files 2> /dev/null | sort -u',
    "echo '2>/dev/null'",
  ])('trusts %s', async (script) => {
    expect(await trustsScript(script)).toBe(true);
  });

  it.each([
    'cat f | sort -o g',
    'cat f | sort --output=g',
    'cat f | sort -k 2 g',
    'cat f | sort -t -k g',
    'cat f | sort --compress-program=sh',
    'cat f | uniq - g',
    'cat f | sed -n 1p -i',
    "cat f | sed -n '1w g'",
    'cat f | cut -f 1 g',
    'ls > g',
    'ls >/dev/nullx',
    'ls >/dev/null/../g',
    'ls >/dev/null>g',
    'ls >/dev/null&',
    'ls 2>&1& rm g',
    'ls 2>&1g',
    'ls\u00a02>/dev/null',
    'ls >/dev/null\u00a0g',
    'ls \\2>/dev/null',
    "ls \\' 2>/dev/null 'x",
    'cat <g 2>/dev/null',
    'rm g 2>/dev/null',
  ])('does not trust %s', async (script) => {
    expect(await trustsScript(script)).toBe(false);
  });

  it('answers every argv once, whatever it holds', async () => {
    const word = anyText({ maxLength: 40 });
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
