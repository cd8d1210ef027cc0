import fc from 'fast-check';
import { ConfigError } from '../../../src/settings/faults/configError';
import { parseCalls } from '../../../src/settings/rules/parseCalls';
import { matches, parseRules } from '../../../src/settings/rules/parseRules';
import { character } from '../../support/hostile';

const parse = (text: string) => parseRules('a.rules', text);

describe('the rules of commands', () => {
  it('reads a file that ends with a comment or a blank', () => {
    const rule = { pattern: [['ls']], decision: 'allow', where: 'a.rules:1' };
    for (const end of ['# of the house', ' ', '\n#'])
      expect(parse(`prefix_rule(["ls"])${end}`).prefixes).toEqual([rule]);
  });

  it('reads calls with names, in order, in several lines and with comments', () => {
    const text = `# of the house
prefix_rule(
    pattern = ["git", ["push", 'fetch']], # two of them
    decision = "prompt",
    justification = "why",
)
prefix_rule(["ls"]); prefix_rule(["rm"], "forbidden")
host_executable(name = "git", paths = ["/usr/bin/git"])
network_rule(host = "x.org", protocol = "https", decision = "allow")`;
    expect(parse(text)).toEqual({
      prefixes: [
        {
          pattern: [['git'], ['push', 'fetch']],
          decision: 'prompt',
          justification: 'why',
          where: 'a.rules:2',
        },
        { pattern: [['ls']], decision: 'allow', where: 'a.rules:7' },
        { pattern: [['rm']], decision: 'forbidden', where: 'a.rules:7' },
      ],
      programs: { git: ['/usr/bin/git'] },
      hosts: [{ host: 'x.org', decision: 'allow', where: 'a.rules:9' }],
      widens: ['a.rules:7', 'a.rules:8'],
    });
  });

  it('reads texts in each form, as they mean in Starlark', () => {
    const words = String.raw`prefix_rule(['a\'', "\x41é\U0001F600\n", r'b\n', """c
"d" """, "e\\"])`;
    expect(parse(words).prefixes[0]?.pattern).toEqual([["a'"], ['Aé😀\n'], ['b\\n'], ['c\n"d" '], ['e\\']]);
  });

  it('reads back any text that it is given', () => {
    const text = fc.string({ unit: character, minLength: 1, maxLength: 12 });
    const written = (value: string) =>
      JSON.stringify(value).replace(/\\[bf]/g, (c) => (c === '\\b' ? '\\x08' : '\\x0c'));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (words) => {
        const { prefixes } = parse(`prefix_rule([${words.map(written).join(', ')}])`);
        expect(prefixes[0]?.pattern).toEqual(words.map((word) => [word]));
      }),
    );
  });

  it('reads any text, or refuses it with a line of the file', () => {
    const pieces = [
      'prefix_rule',
      '(',
      ')',
      '[',
      ']',
      '=',
      ',',
      '"a"',
      "'",
      '"',
      '\n',
      '#',
      'pattern',
      '\\',
      '"""',
      ';',
      'x',
    ];
    const text = fc.oneof(
      fc.string(),
      fc.array(fc.constantFrom(...pieces)).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(text, (text) => {
        try {
          parse(text);
        } catch (error) {
          expect(error).toBeInstanceOf(ConfigError);
          expect((error as Error).message).toMatch(/^a\.rules:\d+: /);
        }
      }),
    );
  });

  it.each([
    ['\nfoo("a")', 'a.rules:2: foo is not read here'],
    ['x = ["a"]', 'a.rules:1: x is not read here'],
    ['[prefix_rule(["a"]) for a in []]', 'a.rules:1: [ is not read here'],
    ['prefix_rule(["a"] + ["b"])', 'a.rules:1: + is not read here'],
    ['prefix_rule(["a" "b"])', 'a.rules:1: "b" is not read here'],
    ['prefix_rule(pattern=("a",))', 'a.rules:1: ( is not read here'],
    ['prefix_rule(["a"]', 'a.rules:1: the end of the file is not read here'],
    ['prefix_rule(["a"]) prefix_rule(["b"])', 'a.rules:1: prefix_rule is not read here'],
    ['prefix_rule([f"a"])', 'a.rules:1: f is not read here'],
    [String.raw`prefix_rule(["\q"])`, String.raw`a.rules:1: the escape \q is not read here`],
    ['prefix_rule(["a"], foo=["b"])', 'a.rules:1: the argument foo of prefix_rule is not read here'],
    ['prefix_rule(["a"], pattern=["b"])', 'a.rules:1: the argument pattern of prefix_rule is not read here'],
    ['prefix_rule(decision="allow", ["a"])', 'a.rules:1: the argument 2 of prefix_rule is not read here'],
    ['prefix_rule(["a"], decision="deny")', 'a.rules:1: decision is "deny", expected allow, prompt, forbidden'],
    ['prefix_rule([])', 'a.rules:1: pattern is empty'],
    ['prefix_rule(["a", []])', 'a.rules:1: pattern has a word without alternatives'],
    ['prefix_rule(["a"], match=["b c"])', 'a.rules:1: the rule does not match its example "b c"'],
    [
      'prefix_rule(["a"], not_match=[["a", "b"]])',
      'a.rules:1: the rule matches ["a","b"], which it names in not_match',
    ],
    ['prefix_rule(["a"], justification=" ")', 'a.rules:1: justification is empty'],
    ['host_executable(name="git", paths=["git"])', 'a.rules:1: paths has "git", expected absolute paths'],
    [`prefix_rule(${'['.repeat(9)}`, 'a.rules:1: brackets are nested deeper than 8'],
  ])('refuses %j', (text, fault) => {
    const remedy =
      'rules are calls of prefix_rule, host_executable, network_rule with texts and lists of texts; correct the file, or use --engine app-server';
    expect(() => parse(text)).toThrow(new ConfigError(`${fault}; ${remedy}`));
  });

  it('names each fault of a file, and goes on at the next call', () => {
    const text = `prefix_rule(["a"], decision="deny")
prefix_rule(["b"], foo=["c"])
prefix_rule(["c"]
prefix_rule(["d"])
x = ["prefix_rule"]
host_executable(name="git", paths=["git"])
network_rule(host="x.org"`;
    const lines = (text: string) => {
      try {
        return parse(text);
      } catch (error) {
        return (error as ConfigError).faults.map((line) => line.slice(0, 33));
      }
    };
    expect(lines(text)).toEqual([
      'a.rules:1: decision is "deny", ex',
      'a.rules:2: the argument foo of pr',
      'a.rules:4: prefix_rule is not rea',
      'a.rules:5: x is not read here; ru',
      'a.rules:6: paths has "git", expec',
      'a.rules:7: the end of the file is',
    ]);
  });

  it('is read as calls of the given functions', () => {
    const deps = {
      file: 'f',
      parameters: { f: ['a', 'b'] },
      fault: (_: string, what: string) => new ConfigError(what),
    };
    expect(parseCalls(deps, 'f([], b=[["x"], "y"])')).toEqual([
      { name: 'f', args: { a: [], b: [['x'], 'y'] }, where: 'f:1' },
    ]);
  });

  it('matches the first words of a command', () => {
    const pattern = [['git'], ['push', 'fetch']];
    expect(matches(pattern, ['git', 'fetch', 'x'])).toBe(true);
    expect(matches(pattern, ['git'])).toBe(false);
    expect(matches(pattern, ['git', undefined])).toBe(false);
  });
});
