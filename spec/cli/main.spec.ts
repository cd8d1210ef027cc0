import { COMMANDS, DEFAULT_COMMAND } from '../../src/cli/commands';
import { complete, showHelp } from '../../src/cli/help';
import { main } from '../../src/cli/main';

jest.mock('../../src/cli/help'); // its text is that of yargs, an ES module: spec/wire/program/commandLine.spec.ts

/** What is written while the program runs with these arguments, and the exit code that it sets. */
const run = (...argv: string[]) => {
  const written = { out: '', err: '' };
  const collect = (to: 'out' | 'err') => (text: unknown) => {
    written[to] += text;
    return true;
  };
  const spies = [
    jest.spyOn(process.stdout, 'write').mockImplementation(collect('out') as never),
    jest.spyOn(process.stderr, 'write').mockImplementation(collect('err') as never),
  ];
  main(argv);
  for (const spy of spies) spy.mockRestore();
  const code = process.exitCode;
  process.exitCode = undefined;
  return { ...written, code };
};

describe('main', () => {
  it('prints the version', () => {
    expect(run('--version')).toEqual({ out: expect.stringMatching(/^\d+\.\d+\.\d+\S*\n$/), err: '', code: undefined });
  });

  it.each([
    [['--help'], { kind: 'short' }],
    [['--help', 'all'], { kind: 'all' }],
    [['--help', 'man'], { kind: 'man' }],
    [['diff', '--help'], { kind: 'command', name: 'diff' }],
  ])('shows the help for %j', (argv, page) => {
    expect(run(...argv)).toEqual({ out: '', err: '', code: undefined });
    expect(showHelp).toHaveBeenLastCalledWith(page);
  });

  it.each([
    [['dif'], 'codex-rx: dif is not a command; did you mean diff?\nSee codex-rx --help\n'],
    [['diff', '--no-such'], expect.stringMatching(/^codex-rx diff: --no-such[\s\S]*\nSee codex-rx diff --help\n$/)],
  ])('refuses %j with exit code 2, and names the help', (argv, err) => {
    expect(run(...argv)).toEqual({ out: '', err, code: 2 });
  });

  const others = Object.keys(COMMANDS).filter((name) => name !== 'mcp'); // without its actions that is the server, as in 0.28.0
  it.each(others)('refuses a wrong option of %s in the form of all errors', (name) => {
    const prefix = name === DEFAULT_COMMAND ? 'codex-rx' : `codex-rx ${name}`;
    const { out, err, code } = run(name, '--no-such-option-anywhere');
    expect([out, code]).toEqual(['', 2]);
    expect(err.split('\n')).toEqual([expect.stringMatching(`^${prefix}: [^A-Z].*[^.]$`), `See ${prefix} --help`, '']);
  });

  it.each([[['completion']], [['--get-yargs-completions', 'd']]])('completes %j', (argv) => {
    run(...argv);
    expect(complete).toHaveBeenLastCalledWith(argv);
  });
});
