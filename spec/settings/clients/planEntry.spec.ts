import { CLIENTS, type Client } from '../../../src/settings/clients/clients';
import {
  argvOf,
  commandText,
  entriesOf,
  entryText,
  nextEntry,
  planAll,
  planEntry,
  serverIn,
  startsThisServer,
  type Wish,
  wrappedIn,
} from '../../../src/settings/clients/planEntry';

const PROGRAM = ['/n/node', '/p/bin/codex-rx.js'];
const RECORDER = [...PROGRAM, 'record', '--quiet', '--out', '/t/', '--'];

const wish = (client: string, more: Partial<Wish> = {}): Wish => ({
  client: CLIENTS[client] as Client,
  server: 'codex',
  program: PROGRAM,
  env: {},
  action: { kind: 'serve' },
  ...more,
});

const undo = { action: { kind: 'undo' } } as const;
const record = { action: { kind: 'record', tape: '/t/' } } as const;

/** The text afterwards, and that after the undoing. */
const thereAndBack = (given: Wish, text: string | undefined) => {
  const after = planEntry(given, { text, backup: undefined });
  return { after, undone: planEntry({ ...given, ...undo }, { text: after, backup: text }) };
};

const entryIn = (client: string, text: string | undefined, server = 'codex') =>
  entriesOf(CLIENTS[client] as Client, text)[server];

describe('planEntry', () => {
  it.each(Object.keys(CLIENTS))('gives %s an entry, and takes it out again to the byte', (client) => {
    const { after, undone } = thereAndBack(wish(client), undefined);
    expect(argvOf(entryIn(client, after))).toEqual([...PROGRAM, CLIENTS[client]?.own.command]);
    expect(undone).toBeUndefined();
    const again = planEntry(wish(client), { text: after, backup: undefined });
    expect(again).toBe(after);
  });

  it('writes what the client expects', () => {
    expect(entryText(wish('opencode'), nextEntry(wish('opencode', { env: { CODEX_HOME: '/c' } }), {}))).toBe(`{
  "mcp": {
    "codex": {
      "type": "local",
      "enabled": true,
      "command": ["/n/node", "/p/bin/codex-rx.js", "mcp-server"],
      "environment": {
        "CODEX_HOME": "/c"
      }
    }
  }
}`);
    expect(entryText(wish('codex'), nextEntry(wish('codex'), {}))).toBe(`[mcp_servers.codex]
tool_timeout_sec = 3600
default_tools_approval_mode = "approve"
command = "/n/node"
args = [ "/p/bin/codex-rx.js", "mcp-server" ]`);
    expect(nextEntry(wish('zed-acp'), {})).toEqual({
      type: 'custom',
      command: '/n/node',
      args: ['/p/bin/codex-rx.js', 'acp'],
    });
    const set = { codex: { command: 'x', args: ['codex-rx', 'acp', '-s', 'read-only'] } };
    expect(nextEntry(wish('jetbrains-acp'), set)).toMatchObject({
      args: ['/p/bin/codex-rx.js', 'acp', '-s', 'read-only'],
    });
  });

  it('takes the place of codex mcp-server, whose arguments, variables and other members stay', () => {
    const old =
      '{"mcpServers": {"codex": {"command": "codex", "args": ["mcp-server", "-m", "o3"], "env": {"A": "1"}}}}';
    const { after, undone } = thereAndBack(wish('cursor', { env: { CODEX_HOME: '/c' } }), old);
    expect(entryIn('cursor', after)).toEqual({
      command: '/n/node',
      args: ['/p/bin/codex-rx.js', 'mcp-server', '-m', 'o3'],
      env: { A: '1', CODEX_HOME: '/c' },
    });
    expect(undone).toBe(old);
  });

  it('refuses to replace another server, and a form that it cannot change', () => {
    const other = { text: '{"mcpServers": {"codex": {"command": "x"}}}', backup: undefined };
    expect(() => planEntry(wish('cursor'), other)).toThrow('codex of Cursor is another server; name ours differently');
    const inline = { text: 'mcp_servers = { x = { command = "y" } }\n', backup: undefined };
    expect(() => planEntry(wish('codex'), inline)).toThrow('add the entry yourself, see --print');
    const twice = { text: '{"mcpServers": {}, "mcpServers": {"a": {}}}', backup: undefined };
    expect(() => planEntry(wish('cursor'), twice)).toThrow('add the entry yourself, see --print');
    expect(() => planEntry(wish('cursor'), { text: '{', backup: undefined })).toThrow(
      'the file of Cursor cannot be read: line 1 is not JSON; mend it, or add the entry yourself: see --print',
    );
    expect(() => planEntry(wish('cursor'), { text: '{"mcpServers": 1}', backup: undefined })).toThrow('not a table');
  });

  it.each([
    ['cursor', '{"mcpServers": {"docs": {"command": "npx", "args": ["docs"]}}} // mine'],
    ['opencode', '{"mcp": {"docs": {"command": ["npx", "docs"]}}}'],
    ['codex', '[mcp_servers.docs] # mine\ncommand = "npx"\nargs = [\n  "docs", # the package\n]\n'],
  ])('wraps a server of %s by the recorder, and unwraps it to the byte', (client, text) => {
    const { after, undone } = thereAndBack(wish(client, { server: 'docs', ...record }), text);
    expect(argvOf(entryIn(client, after, 'docs'))).toEqual([...RECORDER, 'npx', 'docs']);
    expect(undone).toBe(text);
    const again = planEntry(wish(client, { server: 'docs', ...record }), { text: after, backup: text });
    expect(again).toBe(after);
  });

  it.each([
    ['cursor', '{"mcpServers": {"docs": {"command": "docs", "args": []}}}'],
    ['cursor', '{"mcpServers": {"docs": {"args": [], "command": "docs"}, "a": {"command": "b"}}}'],
    ['codex', '[mcp_servers.docs]\ncommand = "docs"\nargs = []\n'],
  ])('brings an empty list of arguments back', (client, text) => {
    expect(thereAndBack(wish(client, { server: 'docs', ...record }), text).undone).toBe(text);
    const all = planAll(wish(client, record), { text, backup: undefined });
    expect(planAll(wish(client, undo), { text: all.text, backup: text }).text).toBe(text);
  });

  it('records its own server, and refuses a server that it cannot record', () => {
    const after = planEntry(wish('cursor', record), { text: undefined, backup: undefined });
    expect(argvOf(entryIn('cursor', after))).toEqual([...RECORDER, ...PROGRAM, 'mcp-server']);
    const web = { text: '{"mcpServers": {"web": {"url": "https://x"}}}', backup: undefined };
    expect(() => planEntry(wish('cursor', { server: 'web', ...record }), web)).toThrow('is not started by a command');
    expect(() => planEntry(wish('cursor', { server: 'none', ...record }), web)).toThrow(
      'Cursor has no entry none (it has web)',
    );
  });

  it('undoes one change of several, in any order', () => {
    const text = '{\n  "mcpServers": {\n    "docs": { "command": "npx" } // mine\n  }\n}\n';
    const one = planEntry(wish('cursor'), { text, backup: undefined });
    const two = planEntry(wish('cursor', { server: 'docs', ...record }), { text: one, backup: text });
    expect(planEntry(wish('cursor', { server: 'docs', ...undo }), { text: two, backup: text })).toBe(one);
    const other = planEntry(wish('cursor', undo), { text: two, backup: text });
    expect(planEntry(wish('cursor', { server: 'docs', ...undo }), { text: other, backup: text })).toBe(text);
  });

  it('undoes only what is its own', () => {
    const file = { text: '{"mcpServers": {"docs": {"command": "npx"}}}', backup: undefined };
    expect(() => planEntry(wish('cursor', undo), file)).toThrow(
      'Cursor has no entry codex (it has docs), so there is nothing to undo',
    );
    expect(() => planEntry(wish('cursor', { server: 'docs', ...undo }), file)).toThrow('does not start codex-rx');
  });

  it('keeps what a person has changed since', () => {
    const after = planEntry(wish('cursor'), { text: '{"a": 1}', backup: undefined });
    const edited = after?.replace('"a": 1', '"a": 2 /* mine */');
    expect(planEntry(wish('cursor', undo), { text: edited, backup: '{"a": 1}' })).toMatch(
      /^\{"a": 2 \/\* mine \*\/,\s+"mcpServers": \{\s*\}\s*\}$/,
    );
  });
});

describe('command lines of entries', () => {
  it.each([
    [true, ['/n/node', '/p/bin/codex-rx.js', 'mcp-server', '--face', '0.28']],
    [true, ['npx', '-y', 'codex-rx@2.0.0']],
    [true, ['codex-rx', '-c', 'model="o3"', 'mcp-server']],
    [true, ['C:\\npm\\codex-mcp-server.cmd']],
    [false, ['codex-rx', 'replay', 'tape.jsonl']],
    [false, ['npx', '-y', 'server-filesystem', '/home/me/codex-rx']],
    [false, ['npx', '-y', 'server-filesystem', '/home/me/codex-rx', '--read-only']],
    [false, ['sh', '-c', 'exec codex-rx mcp-server']],
    [false, ['codex', 'mcp-server']],
    [false, []],
  ])('start this server, %j: %j', (isThis, argv) => {
    expect(startsThisServer(argv)).toBe(isThis);
    expect(startsThisServer([...RECORDER, ...argv])).toBe(isThis);
  });

  it.each([
    ['codex-rx', ['/n/node', '/p/bin/codex-rx.js', 'mcp-server']],
    ['codex-rx', ['npx', '-y', 'codex-rx']],
    ['codex-rx', ['C:\\npm\\codex-mcp-server.cmd']],
    ['codex', ['codex', 'mcp-server']],
    ['codex', ['npx', '-y', '@openai/codex@0.140.0', 'mcp']],
    ['other', ['codex', 'exec']],
    ['other', ['npx', 'docs']],
    ['other', []],
  ])('start %s: %j', (server, argv) => {
    expect(serverIn(argv)).toBe(server);
    expect(serverIn([...RECORDER, ...argv])).toBe(server);
  });

  it('are known behind the recorder only', () => {
    expect(wrappedIn([...RECORDER, 'a', '--', 'b'])).toEqual(['a', '--', 'b']);
    expect(wrappedIn(['x', 'record', '--', 'a'])).toBeUndefined();
    expect(commandText({ command: 'a b', args: ['c'] })).toBe("'a b' c");
    expect(commandText({ command: { path: 'a' } })).toBe('');
  });
});
