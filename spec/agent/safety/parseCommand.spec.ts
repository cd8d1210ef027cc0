import fc from 'fast-check';
import { firstValueFrom } from 'rxjs';
import { bashReaders } from '../../../src/agent/safety/bashParser';
import {
  parseCommand,
  shortPath,
  summarize,
  summarizeArgv,
  summarizeScript,
} from '../../../src/agent/safety/parseCommand';
import type { Sequence } from '../../../src/agent/safety/script';
import type { ParsedCommand } from '../../../src/protocol/codex/eventMsg';
import { anyText } from '../../support/hostile';
import { marbles } from '../../support/marbles';
import { bashDeps, casesOf } from './support';

const parse = parseCommand({ read: bashReaders(bashDeps).read });
const parsed = (argv: readonly string[]): Promise<ParsedCommand[]> => firstValueFrom(parse(argv));
const parsedLine = (line: string): Promise<ParsedCommand[]> => parsed(line.split(' '));

const cat: Sequence = [
  [
    { text: 'cat', raw: 'cat' },
    { text: 'a/b', raw: 'a/b' },
  ],
];
const script = ['bash', '-lc', 'cat a/b'];
const values: Record<string, Sequence | undefined | ParsedCommand[]> = {
  c: cat,
  u: undefined,
  R: [{ type: 'read', cmd: 'cat a/b', name: 'b' }],
  U: [{ type: 'unknown', cmd: 'cat a/b' }],
};

describe('parseCommand', () => {
  it(
    'answers a plain argv at once, and a script when the grammar has read it',
    marbles(({ cold, expectObservable }) => {
      const answers = (grammar: string, argv: string[]) =>
        parseCommand({ read: () => cold(grammar, values as Record<string, Sequence | undefined>) })(argv);
      expectObservable(answers('---(c|)', ['cat', 'a/b'])).toBe('(R|)', values);
      expectObservable(answers('---(c|)', ['bash', '-c', 'cat a/b'])).toBe('(R|)', values);
      expectObservable(answers('---(c|)', script)).toBe('---(R|)', values);
      expectObservable(answers('---(u|)', script)).toBe('---(U|)', values);
      expectObservable(answers('-------', script)).toBe('-------', values);
    }),
  );

  it(
    'stops asking the grammar when nobody listens',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const grammar$ = cold<Sequence>('         -----(c|)', { c: cat });
      expectObservable(parseCommand({ read: () => grammar$ })(script), '---!').toBe('----');
      expectSubscriptions(grammar$.subscriptions).toBe('                     ^--!');
    }),
  );

  it.each<[string, ParsedCommand]>([
    ['ls -w -- a', { type: 'list_files', cmd: 'ls -w -- a', path: 'a' }],
    ['ls -- -I x', { type: 'list_files', cmd: 'ls -- -I x', path: 'x' }],
    ['fd x packages/src', { type: 'search', cmd: 'fd x packages/src', query: 'x', path: 'packages' }],
    ['fd -e ts ..', { type: 'search', cmd: 'fd -e ts ..', query: null, path: '..' }],
    ['find ( -name', { type: 'search', cmd: "find '(' -name", query: null, path: null }],
    ['head -nx f', { type: 'unknown', cmd: 'head -nx f' }],
    ['head -n x f', { type: 'unknown', cmd: 'head -n x f' }],
    ['head -n 5', { type: 'unknown', cmd: 'head -n 5' }],
    ['tail -n +5 a/dist', { type: 'read', cmd: 'tail -n +5 a/dist', name: 'a' }],
    ['cat -- x', { type: 'read', cmd: 'cat -- x', name: 'x' }],
    ['__proto__ x', { type: 'unknown', cmd: '__proto__ x' }],
  ])('names %s', async (line, expected) => {
    expect(await parsedLine(line)).toEqual([expected]);
  });

  it.each([
    ['echo a && cd b && true && nl -ba && ls', ['ls']],
    ['cd a && cd b', ['cd b']],
    ['true && true', ['true']],
    ['ls && ls && ls', ['ls']],
    ['ls && cd a', ['ls', 'cd a']],
    ['n | rm x', ['rm x']],
    ['&& ;', []],
  ])('leaves out of %j what means little', async (line, expected) => {
    expect((await parsedLine(line)).map(({ cmd }) => cmd)).toEqual(expected);
  });

  it.each([
    ["cat a 'b c' # d", [{ type: 'unknown', cmd: "cat a 'b c'" }]],
    ["cat 'it'\"'s\" \\\n", [{ type: 'unknown', cmd: "cat \"it's\" ''" }]],
    ['cat "a\\"b\\$\\x"', [{ type: 'read', cmd: 'cat \'a"b$\'"\\\\x"', name: 'x' }]],
    ['cat "open', [{ type: 'unknown', cmd: "bash -c 'cat \"open'" }]],
    ['cat \\', [{ type: 'unknown', cmd: 'bash -c "cat \\\\"' }]],
    ['', [{ type: 'unknown', cmd: '' }]],
    ['   "', [{ type: 'unknown', cmd: "bash -c '   \"'" }]],
  ])('splits the script of bash -c %j', async (line, expected) => {
    expect(await parsed(['bash', '-c', line])).toEqual(expected);
  });

  it('names more commands than a human would read as one', async () => {
    const argv = Array.from({ length: 50_000 }, () => ['true', '&&']).flat();
    expect((await parsed(argv)).map(({ type }) => type)).toEqual(['unknown']);
  });

  it('answers every argv once, whatever it holds', async () => {
    const word = fc.oneof(
      anyText({ maxLength: 30 }),
      fc.constantFrom('&&', '|', ';', 'cd', 'true', 'echo', 'nl', 'ls', 'rg', 'sed', '-n', '3p', '--', '-', '/'),
    );
    const line = fc.array(word).map((words) => words.join(' '));
    const argv = fc.oneof(
      fc.array(word),
      line.map((it) => ['bash', '-lc', it]),
      line.map((it) => ['bash', '-c', it]),
    );
    await fc.assert(fc.asyncProperty(argv, async (it) => expect(Array.isArray(await parsed(it))).toBe(true)));
  });

  describe('beside Codex 0.28.0', () => {
    type Recorded = { id: string; argv: string[]; parsed_cmd: ParsedCommand[] };

    /** `echo "a""b"`: a word of several quoted parts is read here. */
    const recorded = casesOf<Recorded>('parsed_cmd_dev').filter(({ id }) => id !== 'pc585');

    it.each(recorded)('describes $id as recorded: $argv', async ({ argv, parsed_cmd }) => {
      expect(await parsed(argv)).toEqual(parsed_cmd);
    });
  });
});

const read = (name: string) => ({ type: 'read', name });
const list = (path: string | null) => ({ type: 'list_files', path });
const search = (query: string | null, path: string | null) => ({ type: 'search', query, path });
const unknown = { type: 'unknown' };

describe('summarize', () => {
  it.each<[string, object]>([
    ['cat a/b.ts', read('b.ts')],
    ['cat -- a', read('a')],
    ['cat a b', unknown],
    ['head -n 5 a', read('a')],
    ['head -n5 a', read('a')],
    ['head -n +5 a', unknown],
    ['tail -n +5 a', read('a')],
    ['tail -n x a', unknown],
    ['tail a', unknown],
    ['sed -n 1,5p a', read('a')],
    ['sed -i 1,5p a', unknown],
    ['sed -n x a', unknown],
    ['nl -w 3 a', read('a')],
    ['nl', unknown],
    ['ls', list(null)],
    ['ls -l --color never a/src', list('a')],
    ['grep -r x a/b', search('x', 'b')],
    ['grep x | wc a', search('x', null)],
    ['rg --files a', search(null, 'a')],
    ['rg -A 3 x', search('3', 'x')],
    ['fd -t f x a', search('x', 'a')],
    ['fd ./a', search(null, 'a')],
    ['find a -name x -type f', search('x', 'a')],
    ['find ! -type f', search(null, 'f')],
    ['find a -name', search(null, 'a')],
    ['npm test', unknown],
    ['', unknown],
  ])('of %s', (line, summary) => {
    const words = line === '' ? [] : line.split(' ');
    expect(summarize(words)).toEqual({ ...summary, cmd: expect.any(String) });
  });

  it('has the command as it would be typed', () => {
    expect(summarize(['cat', 'a b']).cmd).toBe("cat 'a b'");
  });
});

/** The commands of a script, which are joined as given. */
const summariesOf = (script: string, ...commands: string[]) =>
  summarizeScript(
    script,
    commands.map((one) => one.split(' ').map((text) => ({ text, raw: text }))),
  ).map(({ type, cmd }) => `${type}: ${cmd}`);

describe('summarizeScript', () => {
  it.each<[string, string[], string[]]>([
    ['ls', ['ls'], ['list_files: ls']],
    ['npm test && ls', ['npm test', 'ls'], ['unknown: npm test', 'list_files: ls']],
    ['cat a | wc -l', ['cat a', 'wc -l'], ['read: cat a']],
    ['cat a | head', ['cat a', 'head'], ['read: cat a']],
    ['cat a | tail -n', ['cat a', 'tail -n'], ['read: cat a']],
    ['head -n 5 a', ['head -n 5 a'], ['read: head -n 5 a']],
    ['ls | sed s/a/b/', ['ls', 'sed s/a/b/'], ['list_files: ls']],
    ['cat a | sed -n 1,5p', ['cat a', 'sed -n 1,5p'], ['read: cat a | sed -n 1,5p']],
    ['npm test || true', ['npm test', 'true'], ['unknown: npm test']],
    ['true', ['true'], ['unknown: true']],
    ['wc -l | sort', ['wc -l', 'sort'], ['unknown: wc -l | sort']],
  ])('of %s', (script, commands, expected) => {
    expect(summariesOf(script, ...commands)).toEqual(expected);
  });
});

const cmdsOf = (...argv: string[]) => summarizeArgv(argv).map(({ cmd }) => cmd);

describe('summarizeArgv', () => {
  it.each([
    [['yes', '|', 'npm', 'test'], ['npm test']],
    [
      ['bash', '-c', 'cat a && npm test'],
      ['cat a', 'npm test'],
    ],
    [['bash', '-c', 'ls', 'x'], ['bash -c ls x']],
    [['echo', 'a', '&&', 'npm', 'test'], ['npm test']],
    [
      ['npm', 'test', '&&', 'echo', 'a'],
      ['npm test', 'echo a'],
    ],
    [['cd', 'a', '&&', 'npm', 'test'], ['npm test']],
    [
      ['npm', 'test', '&&', 'cd', 'a'],
      ['npm test', 'cd a'],
    ],
    [['npm', 'test', '||', 'true'], ['npm test']],
    [
      ['npm', 'test', '||', 'true', 'x'],
      ['npm test', 'true x'],
    ],
    [['cat', 'a', '|', 'nl', '-ba'], ['cat a']],
    [
      ['cat', 'a', '|', 'nl', 'b'],
      ['cat a', 'nl b'],
    ],
    [['echo', 'a'], ['echo a']],
    [['cd', 'a', '&&', 'npm', 'test', ';', 'true'], ['npm test']],
  ])('of %j is %j', (argv, cmds) => {
    expect(cmdsOf(...argv)).toEqual(cmds);
  });

  it('is one unknown command for more than 200', () => {
    const many = (count: number) => Array.from({ length: count }, () => ['a', ';']).flat();
    expect(cmdsOf(...many(200))).toHaveLength(200);
    expect(summarizeArgv(many(201))).toEqual([{ type: 'unknown', cmd: expect.stringContaining('a ') }]);
  });
});

describe('shortPath', () => {
  it.each([
    ['a/b.ts', 'b.ts'],
    ['packages/app/src/', 'app'],
    ['app\\src\\', 'app'],
    ['node_modules', 'node_modules'],
    ['src/build/dist', 'src/build/dist'],
    ['/', ''],
    ['a//', 'a'],
    ['.', '.'],
  ])('of %s is %s', (path, name) => {
    expect(shortPath(path)).toBe(name);
  });
});
