import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { init } from '../../../src/cli/commands/init';
import { givenBy, problemBy } from '../reading';

let home: string;
let printed: string[];
const env = { ...process.env };

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'init-'));
  mkdirSync(join(home, '.cursor'));
  process.env = { PATH: env.PATH, HOME: home };
  printed = [];
  const write = (text: unknown) => printed.push(String(text)) > 0;
  jest.spyOn(process.stdout, 'write').mockImplementation(write);
  jest.spyOn(process.stderr, 'write').mockImplementation(write);
});
afterEach(() => {
  jest.restoreAllMocks();
  process.env = env;
  process.exitCode = undefined;
  rmSync(home, { recursive: true });
});

/** What is printed by a command line, with ~ for the home. */
const run = (...argv: string[]): string => {
  printed = [];
  const prepared = init.prepare(argv);
  if (prepared.kind === 'ready') prepared.run();
  return printed.join('').replaceAll(home, '~');
};

const file = () => join(home, '.cursor', 'mcp.json');

describe('init', () => {
  it('reads a client, a name, and one thing to do', () => {
    expect(givenBy(init, 'zed', 'docs', '--record', 't/')).toMatchObject({ client: 'zed', name: 'docs', record: 't/' });
    expect(problemBy(init, 'nano')).toMatch(/^CLIENT must be claude-code, .* or jetbrains-acp; it is nano$/);
    expect(problemBy(init, '--undo')).toMatch(/^Name a client: claude-code/);
    expect(problemBy(init, 'zed', '--undo', '--record', 't')).toBe('Give --record or --undo, not both');
    expect(problemBy(init, 'zed', '--undo', '--print')).toBe('Give --print or --undo, not both');
    expect(problemBy(init, 'zed', 'cursor')).toBe('Give one client, then: codex-rx init cursor');
    expect(givenBy(init, 'zed', 'codex')).toMatchObject({ name: 'codex' });
    expect(givenBy(init, 'zed', 'cursor', '--undo')).toMatchObject({ name: 'cursor' });
    expect(givenBy(init, 'zed', 'cursor', '--record', 't')).toMatchObject({ name: 'cursor' });
  });

  it('lists the clients of the machine and what they start', () => {
    expect(run()).toBe(
      `Clients of this machine:\n  cursor          ~/.cursor/mcp.json\n${' '.repeat(18)}no entry yet\n`,
    );
    run('cursor');
    expect(run()).toMatch(/codex starts \S+node \S+codex-rx.js mcp-server/);
  });

  it('changes nothing if it only prints', () => {
    expect(run('cursor', '--print')).toMatch(/^\{\n {2}"mcpServers": [\s\S]*this belongs in ~\/.cursor\/mcp.json\n$/);
    expect(run('cursor', '--dry-run')).toMatch(/^~\/.cursor\/mcp.json\n[\s\S]*\+ {3}"mcpServers": \{\n/);
    expect(existsSync(file())).toBe(false);
  });

  it('writes the entry, and undoes it', () => {
    expect(run('cursor')).toBe(
      'Cursor starts codex-rx from now on, by its entry codex. Restart the client.\n' +
        'Changed: ~/.cursor/mcp.json. To undo it: codex-rx init cursor --undo\n',
    );
    expect(run('cursor')).toBe('~/.cursor/mcp.json is as it should be.\n');
    expect(run('cursor', '--record', 'tapes/')).toContain('codex of Cursor is recorded from now on');
    expect(JSON.parse(readFileSync(file(), 'utf8')).mcpServers.codex.args).toContain(
      `${join(process.cwd(), 'tapes')}/`,
    );
    expect(run('cursor', '--undo')).toBe('codex of Cursor is as it was before. Restart the client.\n');
    expect(existsSync(file())).toBe(false);
  });

  it('prints the lines that would change, with their tabs and without the line breaks of Windows', () => {
    writeFileSync(file(), '{\r\n\t"mcpServers": {\r\n\t\t"docs": { "command": "npx" }\r\n\t}\r\n}\r\n');
    const lines = run('cursor', '--dry-run').split('\n');
    expect(lines).toEqual(expect.arrayContaining(['- \t\t"docs": { "command": "npx" }', '+ \t\t"codex": {']));
    expect(lines.filter((line) => /\r|\\/.test(line))).toEqual([]);
  });

  it('records all servers of a client, and unwraps them again to the byte', () => {
    const text =
      '{\n  // mine\n  "mcpServers": {\n    "docs": { "command": "npx", "args": ["docs"] },\n    "web": { "url": "http://x/mcp" },\n    "codex": { "command": "codex-rx", "args": ["mcp-server"] }\n  }\n}\n';
    writeFileSync(file(), text);
    expect(run('cursor', '--all', '--record', 'tapes/')).toBe(
      'codex-rx init: web is not started by a command, so it stays; codex-rx record --http records it\n' +
        'docs, codex of Cursor are recorded from now on. Restart the client.\n' +
        'Changed: ~/.cursor/mcp.json. To undo it: codex-rx init cursor --all --undo\n',
    );
    expect(readFileSync(file(), 'utf8').match(/"record"/g)).toHaveLength(2);
    expect(run('cursor', '--all', '--record', 'tapes/')).toContain('is as it should be');
    expect(run('cursor', '--all', '--undo')).toBe(
      'docs, codex of Cursor are as they were before. Restart the client.\n',
    );
    const { mcpServers } = JSON.parse(readFileSync(file(), 'utf8').replace('// mine', ''));
    expect(mcpServers.docs).toEqual({ command: 'npx', args: ['docs'] });
    expect(mcpServers.codex.args.slice(-1)).toEqual(['mcp-server']);
    expect(readFileSync(file(), 'utf8')).toContain('// mine');
  });

  it.each([
    [['cursor', '--all'], '--all goes with --record or --undo'],
    [['cursor', 'docs', '--all', '--undo'], '--all goes without a name and without --print'],
    [['cursor', '--all', '--record', 'a.jsonl'], '--record needs a folder for several servers: tapes/'],
  ])('refuses %j', (argv, problem) => expect(problemBy(init, ...argv)).toBe(problem));

  it('gives advice on an entry only if there is one now', () => {
    expect(run('gemini')).toContain('Begin a new session; "trust": true in the entry');
    expect(run('gemini', '--undo')).toBe('codex of Gemini CLI is as it was before. Begin a new session.\n');
  });

  it('names a file that cannot be read, and prints the entry for it all the same', () => {
    writeFileSync(file(), '{');
    expect(() => run('cursor')).toThrow(
      '.cursor/mcp.json: the file of Cursor cannot be read: line 1 is not JSON; mend it, or add the entry yourself: see --print',
    );
    expect(run('cursor', '--print')).toMatch(/^\{\n {2}"mcpServers": [\s\S]*this belongs in ~\/.cursor\/mcp.json\n$/);
    expect(readFileSync(file(), 'utf8')).toBe('{');
  });

  it('fails if there is nothing to undo', () => {
    expect(() => run('cursor', '--undo')).toThrow(
      '.cursor/mcp.json: Cursor has no entry codex, so there is nothing to undo',
    );
  });
});
