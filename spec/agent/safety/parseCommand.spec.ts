import fc from 'fast-check';
import { firstValueFrom } from 'rxjs';
import { bashParser } from '../../../src/agent/safety/bashParser';
import { parseCommand } from '../../../src/agent/safety/parseCommand';
import type { Sequence } from '../../../src/agent/safety/script';
import type { ParsedCommand } from '../../../src/protocol/codex/eventMsg';
import { marbles } from '../../support/marbles';
import { bashDeps, casesOf } from './support';

const parse = parseCommand({ read: bashParser(bashDeps) });
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
      fc.string({ unit: 'binary', maxLength: 30 }),
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

    it.each(casesOf<Recorded>('parsed_cmd_dev'))('describes $id as recorded: $argv', async ({ argv, parsed_cmd }) => {
      expect(await parsed(argv)).toEqual(parsed_cmd);
    });
  });
});
