import fc from 'fast-check';
import { jsonFormat } from '../../../src/settings/clients/jsonFormat';

const { read, set } = jsonFormat;

const SETTINGS = `// mine
{
\t"theme": "dark", // at night
\t"mcpServers": {
\t\t// the docs
\t\t"docs": { "command": "npx" }, // of the team
\t},
}
`;

describe('jsonFormat', () => {
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
