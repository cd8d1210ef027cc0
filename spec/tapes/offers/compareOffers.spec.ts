import { compareOffers } from '../../../src/tapes/offers/compareOffers';
import { offersOf } from '../../../src/tapes/offers/offers';

const changesIn = (before: object, after: object): string[] =>
  compareOffers(offersOf(before), offersOf(after)).map(({ effect, what, text }) => `${effect} ${what}: ${text}`);

const tool = (own: object) => ({ tools: [{ name: 'a', ...own }] });
const members = (...names: string[]) => ({ properties: Object.fromEntries(names.map((name) => [name, {}])) });

describe('compareOffers', () => {
  it('finds what is gone and new, in the lists that both have', () => {
    const before = { tools: [{ name: 'a' }, { name: 'b' }], prompts: [{ name: 'p' }], resources: [{ uri: 'x:1' }] };
    const after = {
      tools: [{ name: 'b' }, { name: 'c' }],
      resources: [],
      resourceTemplates: [{ uriTemplate: 'x:{id}' }],
    };
    expect(changesIn(before, after)).toEqual([
      'breaking tool a: it is gone',
      'compatible tool c: it is new',
      'breaking resource x:1: it is gone',
    ]);
    expect(changesIn(before, before)).toEqual([]);
  });

  it.each<[string, object, object, string[]]>([
    [
      'an argument that is gone',
      { inputSchema: members('x', 'y') },
      { inputSchema: members('x') },
      ['breaking tool a: argument y: it is gone'],
    ],
    [
      'an argument that is new',
      { inputSchema: members() },
      { inputSchema: members('x') },
      ['compatible tool a: argument x: it is new'],
    ],
    [
      'arguments as a whole',
      { inputSchema: {} },
      { inputSchema: { minProperties: 1 } },
      ['breaking tool a: arguments: its minProperties 1 is new'],
    ],
    [
      'a result with more values',
      { outputSchema: { properties: { x: { enum: [1] } } } },
      { outputSchema: { properties: { x: { enum: [1, 2] } } } },
      ['breaking tool a: result member x: the value 2 is new'],
    ],
    [
      'a result with fewer values',
      { outputSchema: { properties: { x: { enum: [1, 2] } } } },
      { outputSchema: { properties: { x: { enum: [1] } } } },
      ['compatible tool a: result member x: the value 2 is gone'],
    ],
    [
      'a member of the result that is gone',
      { outputSchema: members('x') },
      { outputSchema: members() },
      ['breaking tool a: result member x: it is gone'],
    ],
    ['an output schema that is new', {}, { outputSchema: {} }, ['compatible tool a: it has an output schema now']],
    ['an output schema that is gone', { outputSchema: {} }, {}, ['breaking tool a: it has no output schema any more']],
    [
      'a description',
      { description: 'does a' },
      { description: 'does b' },
      ['compatible tool a: description: before "does a", now "does b"'],
    ],
    [
      'a tool that writes now',
      { annotations: { readOnlyHint: true } },
      {},
      ['breaking tool a: readOnlyHint: true became false, so a client that ran it without asking has to ask'],
    ],
    [
      'a tool that only reads now',
      {},
      { annotations: { readOnlyHint: true } },
      ['compatible tool a: annotations: before nothing, now {"readOnlyHint":true}'],
    ],
    [
      'a tool that must be a task now',
      { execution: { taskSupport: 'optional' } },
      { execution: { taskSupport: 'required' } },
      ['breaking tool a: taskSupport: optional became required'],
    ],
    [
      'a tool that may be a task now',
      {},
      { execution: { taskSupport: 'optional' } },
      ['compatible tool a: taskSupport: forbidden became optional'],
    ],
    [
      'a member with the name of one of every object',
      {},
      { constructor: 1 },
      ['compatible tool a: constructor: before nothing, now 1'],
    ],
  ])('judges %s', (_, before, after, expected) => {
    expect(changesIn(tool(before), tool(after))).toEqual(expected);
  });

  it('judges the arguments of prompts', () => {
    const prompt = (...own: object[]) => ({ prompts: [{ name: 'p', arguments: own }] });
    const before = prompt({ name: 'a' }, { name: 'b', required: true }, { name: 'c' });
    const after = prompt({ name: 'a', required: true }, { name: 'b' }, { name: 'd', required: true }, { name: 'e' });
    expect(changesIn(before, after)).toEqual([
      'breaking prompt p: argument c: it is gone',
      'breaking prompt p: argument a: it is required now',
      'compatible prompt p: argument b: it is optional now',
      'breaking prompt p: argument d: it is new and required',
      'compatible prompt p: argument e: it is new',
    ]);
  });

  it('judges resources by their types', () => {
    const resource = (own: object) => ({ resources: [{ uri: 'x:1', ...own }] });
    expect(
      changesIn(resource({ mimeType: 'text/plain', size: 1 }), resource({ mimeType: 'text/html', size: 2 })),
    ).toEqual([
      'breaking resource x:1: mimeType: before "text/plain", now "text/html"',
      'compatible resource x:1: size: before 1, now 2',
    ]);
  });
});
