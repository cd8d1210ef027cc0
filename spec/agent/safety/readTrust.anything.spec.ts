import fc from 'fast-check';
import { firstValueFrom } from 'rxjs';
import { bashParser } from '../../../src/agent/safety/bashParser';
import { anyText } from '../../support/hostile';
import { bashDeps, trustOf } from './support';

const judge = trustOf({ read: bashParser(bashDeps) });
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
