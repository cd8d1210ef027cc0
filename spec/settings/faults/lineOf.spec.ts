import { lineOf } from '../../../src/settings/faults/tomlFaults';

const text = `# model = "commented"
notes = """
model = "inside a text"
"""
model = "x" # approval_policy
"quoted.key" = 1
list = [
  "a",
]
a.b.c = 1

[profiles.p]
model = "y"
[profiles.'q r']
approval_policy = "never"
[model_providers]
m = { name = "m", wire_api = "chat" }
`;

describe('lineOf', () => {
  it.each<[number | undefined, string[]]>([
    [2, ['notes']],
    [5, ['model']],
    [6, ['quoted.key']],
    [7, ['list']],
    [10, ['a', 'b', 'c']],
    [10, ['a', 'b', 'missing']],
    [12, ['profiles', 'p']],
    [13, ['profiles', 'p', 'model']],
    [12, ['profiles', 'p', 'approval_policy']],
    [15, ['profiles', 'q r', 'approval_policy']],
    [17, ['model_providers', 'm', 'wire_api']],
    [17, ['model_providers', 'm', 'base_url']],
    [undefined, ['absent']],
    [undefined, []],
  ])('finds line %s for %j', (line, path) => expect(lineOf(text, path)).toBe(line));

  it('does not mind line ends of Windows', () => expect(lineOf('a = 1\r\nb = 2\r\n', ['b'])).toBe(2));
});
