import { firstValueFrom } from 'rxjs';
import { bashReaders } from '../../../src/agent/safety/bashParser';
import { decideByRules, reasonOfRule } from '../../../src/agent/safety/commandRules';
import { parseRules } from '../../../src/settings/rules/parseRules';
import { bashDeps } from './support';

const judge = decideByRules(bashReaders(bashDeps));

/** The decision, and the words of its rule. */
const decided = async (rules: string, argv: readonly string[]): Promise<string | undefined> => {
  const byRules = await firstValueFrom(judge(parseRules('r', rules))(argv));
  return byRules && [byRules.decision, ...(byRules.rule?.pattern.map(([word]) => word) ?? [])].join(' ');
};
const script = (text: string): string[] => ['bash', '-lc', text];

const RULES = `
prefix_rule(["git"])
prefix_rule(["git", "push"], "prompt", justification = "ask first")
prefix_rule(["git", "push", "--force"], "forbidden")
prefix_rule(["make"])
prefix_rule(["bash", "-lc", "make > log"])
host_executable("git", ["/usr/bin/git"])`;

describe('decideByRules', () => {
  it('decides nothing without rules, and by none that does not apply', async () => {
    expect(await firstValueFrom(judge(undefined)(['git']))).toBeUndefined();
    expect(await decided(RULES, ['ls'])).toBeUndefined();
    expect(await decided(RULES, script('ls > x'))).toBeUndefined();
  });

  it.each<[argv: string[], decision: string | undefined]>([
    [['git', 'status'], 'allow git'],
    [['git', 'push'], 'prompt git push'],
    [['git', 'push', '--force', 'x'], 'forbidden git push --force'],
    [script('make && git status'), 'allow make'],
    [script('make && ls'), undefined],
    [script('make; git push'), 'prompt git push'],
    [script('git push || git push --force'), 'forbidden git push --force'],
    [script('make "a b" *.c'), 'allow make'],
    [script('make > log'), 'allow bash -lc make > log'],
    [script('make > other'), undefined],
    [script('make $(ls)'), undefined],
    [['sh', '-c', 'make'], undefined],
    [['sh', '-c', 'git push'], 'prompt git push'],
  ])('takes the strictest rule: %j', async (argv, decision) => {
    expect(await decided(RULES, argv)).toBe(decision);
  });

  it('takes a path for the program of its name, but allows only a path that the rules name', async () => {
    expect(await decided(RULES, ['/usr/bin/git', 'status'])).toBe('allow git');
    expect(await decided(RULES, ['/tmp/git', 'status'])).toBeUndefined();
    expect(await decided(RULES, ['./git', 'push'])).toBe('prompt git push');
    expect(await decided(`${RULES}\nprefix_rule(["/tmp/git"])`, ['/tmp/git', 'push'])).toBe('allow /tmp/git');
  });

  it('asks about a script that cannot be read, if there is a rule that could apply', async () => {
    const unread = script(`${'# '.repeat(3_000)}\nls`);
    expect(await decided(RULES, unread)).toBe('prompt');
    expect(await decided(RULES, script('if'))).toBe('prompt');
    expect(await decided('prefix_rule(["ls"])', unread)).toBeUndefined();
  });
});

describe('reasonOfRule', () => {
  it('is the justification, or what the rule decides, with its place', async () => {
    const reason = async (argv: string[]) => {
      const byRules = await firstValueFrom(judge(parseRules('r', RULES))(argv));
      return byRules && reasonOfRule(byRules);
    };
    expect(await reason(['git', 'push'])).toBe('ask first (r:3)');
    expect(await reason(['git', 'push', '--force'])).toBe(
      'a rule forbids commands that begin with git push --force (r:4)',
    );
    expect(await reason(script('if'))).toBe(
      'its script cannot be read here, so that the rules for commands could not be looked up',
    );
  });
});
