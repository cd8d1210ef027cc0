import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { toolName } from '../../../src/agent/toolServers/listTools';

const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex');
const named = (...tools: [string, string][]): (string | undefined)[] => {
  const nameOf = toolName(sha1);
  return tools.map(([server, tool]) => nameOf(server, tool));
};

describe('toolName', () => {
  it.each<[string, [string, string][], (string | undefined)[]]>([
    ['joins server and tool', [['git', 'log']], ['git__log']],
    ['replaces what a provider does not take', [['git', 'with.dots and spaces']], ['git__with_dots_and_spaces']],
    [
      'ends a long name with its hash',
      [['server', 'x'.repeat(80)]],
      [`server__${'x'.repeat(16)}${sha1(`server__${'x'.repeat(80)}`)}`],
    ],
    [
      'keeps two apart that would be the same',
      [
        ['s', 'a.b'],
        ['s', 'a b'],
      ],
      ['s__a_b', `s__a_b${sha1('s__a b')}`],
    ],
    [
      'has none for a third one, with which a provider would refuse them all',
      [
        ['s', 'a'],
        ['s', 'a'],
        ['s', 'a'],
      ],
      ['s__a', `s__a${sha1('s__a')}`, undefined],
    ],
  ])('%s', (_, tools, names) => {
    expect(named(...tools)).toEqual(names);
  });

  it('gives each tool a name of its own that every provider takes', () => {
    const pair = fc.tuple(fc.stringMatching(/^[a-zA-Z0-9_-]{1,80}$/), fc.string({ minLength: 1, maxLength: 90 }));
    fc.assert(
      fc.property(fc.uniqueArray(pair, { selector: ([server, tool]) => `${server}__${tool}` }), (tools) => {
        const names = named(...tools);
        expect(new Set(names).size).toBe(names.length);
        for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      }),
    );
  });
});
