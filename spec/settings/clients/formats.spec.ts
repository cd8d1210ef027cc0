import fc from 'fast-check';
import { jsonFormat, tomlFormat } from '../../../src/settings/clients/formats';

const SETTINGS = `// mine
{
\t"theme": "dark", // at night
\t"mcpServers": {
\t\t// the docs
\t\t"docs": { "command": "npx" }, // of the team
\t},
}
`;

const CONFIG = `model = "x" # mine

[mcp_servers.docs]
command = "npx" # of the team
args = [
  "a#b", # [no.header]
  "[mcp_servers.none]",
]

# about the next
[tools]
web = true
`;

describe('jsonFormat', () => {
  const { read, set } = jsonFormat;

  it('adds a member after the last one and its comment, as the file is indented', () => {
    expect(set(SETTINGS, ['mcpServers', 'codex'], { command: 'node', args: ['a', 'b'], env: {} })).toBe(
      SETTINGS.replace(
        '// of the team\n',
        '// of the team\n\t\t"codex": {\n\t\t\t"command": "node",\n\t\t\t"args": ["a", "b"],\n\t\t\t"env": {}\n\t\t},\n',
      ),
    );
  });

  it('changes one value, and removes a member without the comments of its neighbours', () => {
    expect(set(SETTINGS, ['mcpServers', 'docs', 'command'], 'node')).toBe(SETTINGS.replace('"npx"', '"node"'));
    expect(set(SETTINGS, ['theme'], undefined)).toBe(SETTINGS.replace('"theme": "dark",', ''));
    const two = '{\n  "a": 1, // one\n  "b": 2\n}\n';
    expect(set(two, ['b'], undefined)).toBe('{\n  "a": 1 // one\n}\n');
    expect(set(two, ['c'], undefined)).toBe(two);
  });

  it('makes what is missing, also in an empty file', () => {
    expect(set('', ['servers', 'x'], 1)).toBe('{\n  "servers": {\n    "x": 1\n  }\n}\n');
    expect(set('{}', ['x'], 1)).toBe('{\n  "x": 1\n}');
    expect(set('{ /* none */ }', ['x'], 1)).toBe('{ /* none */\n  "x": 1\n }');
    expect(set('{"a":1}', ['x'], 1)).toBe('{"a":1,\n  "x": 1\n}');
  });

  it('keeps a byte order mark and the ends of lines', () => {
    expect(set('\ufeff{\r\n  "a": 1\r\n}\r\n', ['b'], {})).toBe('\ufeff{\r\n  "a": 1,\r\n  "b": {}\r\n}\r\n');
  });

  it('names the line that is not JSON', () => {
    expect(() => read('{\n  "a": ,\n}')).toThrow('line 2 is not JSON');
    expect(() => read('[]')).toThrow('line 1 is not JSON');
    expect(() => set('{"a": 1}', ['a', 'b'], 1)).toThrow('a is not an object');
    expect(read('')).toEqual({});
  });

  it('keeps each byte of all else: what was added is removed again', () => {
    const name = fc.constantFrom('a', 'b', 'c d', '"');
    const value = fc.oneof(fc.integer(), fc.string(), fc.constant({ x: [1, { y: 2 }] }), fc.constant({}));
    const comment = fc.constantFrom('', ' // one, {two', ' /* ] */');
    const member = fc.tuple(name, value, comment, fc.constantFrom('', '    // above\n'));
    fc.assert(
      fc.property(fc.uniqueArray(member, { selector: ([key]) => key }), fc.boolean(), (members, trailing) => {
        const lines = members.map(([key, one, after, above], at) => {
          const comma = at < members.length - 1 || trailing ? ',' : '';
          return `${above}    ${JSON.stringify(key)}: ${JSON.stringify(one)}${comma}${after}\n`;
        });
        const text = `{\n  "servers": {\n${lines.join('')}  }, // end\n  "z": null\n}\n`;
        const added = set(text, ['servers', 'new'], { command: 'x' });
        expect(read(added)).toEqual({
          ...read(text),
          servers: { ...Object(read(text).servers), new: { command: 'x' } },
        });
        expect(set(added, ['servers', 'new'], undefined)).toBe(text);
      }),
    );
  });
});

describe('tomlFormat', () => {
  const { read, set } = tomlFormat;

  it('adds a table at the end', () => {
    expect(set(CONFIG, ['mcp_servers', 'a b'], { command: 'node', args: ['x'] })).toBe(
      `${CONFIG}\n[mcp_servers."a b"]\ncommand = "node"\nargs = [ "x" ]\n`,
    );
    expect(set('', ['mcp_servers', 'x'], { env: { A: '1', 'b c': 'd' }, n: undefined })).toBe(
      '[mcp_servers.x]\nenv = { A = "1", "b c" = "d" }\n',
    );
    expect(set('', ['mcp_servers', 'x'], { a: 1 })).toBe('[mcp_servers.x]\na = 1\n');
    expect(set('a = 1', ['mcp_servers', 'x'], { a: 1 })).toBe('a = 1\n\n[mcp_servers.x]\na = 1\n');
  });

  it('changes, adds and removes a key; the comment after it stays', () => {
    const path = ['mcp_servers', 'docs'];
    expect(set(CONFIG, [...path, 'command'], 'node')).toBe(CONFIG.replace('"npx"', '"node"'));
    expect(set(CONFIG, [...path, 'args'], ['b'])).toBe(CONFIG.replace(/args = \[[\s\S]*,\n\]/, 'args = [ "b" ]'));
    expect(set(CONFIG, [...path, 'env'], { A: '1' })).toBe(CONFIG.replace(']\n\n#', ']\nenv = { A = "1" }\n\n#'));
    expect(set(CONFIG, [...path, 'cwd'], '/')).toBe(CONFIG.replace(']\n\n#', ']\ncwd = "/"\n\n#'));
    expect(set(CONFIG, [...path, 'command'], undefined)).toBe(CONFIG.replace(/command.*\n/, ''));
  });

  it('removes a table with the tables in it, wherever they are', () => {
    const more = `${CONFIG}[mcp_servers.docs.env]\nA = "1"\n# end\n`;
    expect(set(more, ['mcp_servers', 'docs'], undefined)).toBe(
      'model = "x" # mine\n\n# about the next\n[tools]\nweb = true\n# end\n',
    );
  });

  it('reads each line of a long list once', () => {
    const long = `x = [\n${'1,\n'.repeat(30_000)}]\n[t.a]\nk = 1\n`;
    expect(tomlFormat.set(long, ['t', 'a', 'k'], 2)).toBe(long.replace('k = 1', 'k = 2'));
  });

  it('explains why a text is no TOML', () => {
    expect(() => read('a = ')).toThrow('Invalid TOML');
    expect(() => set('a = ', ['mcp_servers', 'x'], {})).toThrow('Invalid TOML');
    expect(() => set('mcp_servers = { x = {} }', ['mcp_servers', 'x', 'y'], 1)).toThrow('there is no table');
  });

  it('keeps each byte of all else: what was added is removed again', () => {
    const statement = fc.constantFrom(
      'a = 1\n',
      'b = "#" # c\n',
      'c = """\n[mcp_servers.new]\n"""\n',
      "d = '''\n# x\n'''\r\n",
      'e = [\n  "[x]",\n  [1], # y\n]\n',
      '# comment\n',
      '\n',
      'f.g = 2\n',
    );
    const header = fc.constantFrom(
      '[t]\n',
      '[mcp_servers.docs] # d\n',
      '[[list]]\r\n',
      '[mcp_servers.docs.env]\n',
      '[u."new"]\n',
    );
    const section = fc.tuple(header, fc.uniqueArray(statement)).map(([first, rest]) => first + rest.join(''));
    const document = fc.tuple(
      fc.uniqueArray(statement),
      fc.uniqueArray(section, { selector: (text) => text.split('\n')[0] }),
    );
    fc.assert(
      fc.property(document, ([top, sections]) => {
        const text = top.join('') + sections.join('');
        const added = set(text, ['mcp_servers', 'new'], { command: 'x', args: ['[y]', '#'] });
        expect(added.startsWith(text)).toBe(true);
        expect(set(added, ['mcp_servers', 'new'], undefined)).toBe(text);
        const changed = set(added, ['mcp_servers', 'new', 'command'], 'z');
        expect(changed).toBe(added.replace(/command = "x"(?=\r?\nargs)/, 'command = "z"'));
      }),
    );
  });
});
