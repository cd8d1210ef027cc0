import { toSequence } from '../../../src/agent/safety/bashParser';

/** A node of a syntax tree; `word('a')` and the like make the leaves. */
const node = (type: string, children: object[], own: object = {}): object => ({
  type,
  isNamed: true,
  hasError: false,
  text: type,
  children,
  namedChildren: children.filter((child) => (child as { isNamed: boolean }).isNamed),
  childCount: children.length,
  firstChild: children[0] ?? null,
  child: (at: number) => children[at] ?? null,
  ...own,
});
const word = (text: string) => node('word', [], { text });
const token = (text: string) => node(text, [], { text, isNamed: false });
const name = (leaf: object) => node('command_name', [leaf]);
const command = (...leaves: object[]) => {
  const [first, ...rest] = leaves;
  return node('command', [name(first as object), ...rest]);
};
const program = (children: object[], own: object = {}) => {
  const commands: object[] = [];
  const walk = (one: { type: string; children: object[] }): void => {
    if (one.type === 'command') commands.push(one);
    for (const child of one.children) walk(child as never);
  };
  const root = node('program', children, { descendantsOfType: () => commands, ...own });
  walk(root as never);
  return root as Parameters<typeof toSequence>[0];
};
const string = (...pieces: string[]) =>
  node('string', [token('"'), ...pieces.map((text) => node('string_content', [], { text })), token('"')], {
    text: `"${pieces.join('')}"`,
  });
const raw = (text: string) => node('raw_string', [], { text: `'${text}'` });

describe('toSequence', () => {
  it('reads the words of each command, with and without their quotes', () => {
    const tree = program([
      node('list', [command(word('a'), raw('b c'), string('d')), token('&&'), command(word('e'))]),
    ]);
    expect(toSequence(tree)).toEqual([
      [
        { text: 'a', raw: 'a' },
        { text: 'b c', raw: "'b c'" },
        { text: 'd', raw: '"d"' },
      ],
      [{ text: 'e', raw: 'e' }],
    ]);
  });

  it.each<[string, Parameters<typeof toSequence>[0]]>([
    ['a tree with an error', program([command(word('a'))], { hasError: true })],
    ['a node of another kind', program([command(word('a'), node('expansion', []))])],
    ['another token', program([command(word('a')), token('&')])],
    ['a quoted name', program([command(raw('a'))])],
    ['an empty string', program([command(word('a'), string())])],
    ['a string of two pieces', program([command(word('a'), string('b', 'c'))])],
    ['nothing', program([])],
  ])('does not read %s', (_, tree) => {
    expect(toSequence(tree)).toBeUndefined();
  });
});
