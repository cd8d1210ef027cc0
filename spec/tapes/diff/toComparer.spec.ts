import fc from 'fast-check';
import { toComparer, toUnmasked } from '../../../src/tapes/diff/toComparer';
import type { Masks } from '../../../src/tapes/matching/mask';
import { parseTexts } from '../../../src/tapes/matching/matchKey';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';

const UUID = '0a1b2c3d-0000-4000-8000-000000000001';
const delta = (text: string) => ({
  method: 'codex/event',
  params: { msg: { type: 'agent_message_delta', delta: text } },
});
const index = toSessionIndex(
  sessionFrom(
    [0, 'in', { id: 1, method: 'go', params: { of: UUID, _meta: { progressToken: 7 } } }],
    [1, 'out', delta('a')],
    [2, 'out', delta('b')],
    [3, 'out', { id: 1, result: { b: UUID, a: 't1', taskId: 't1' } }],
    [4, 'out', 'no JSON'],
    [5, 'in', { id: 2, method: 'get', params: { taskId: 't1' } }],
  ),
);
const masks = (...names: Masks['names']): Masks => ({ names, own: [] });
const keysOf = (own: Masks) => index.clientLines.map(toComparer(index, own).keyOf);

describe('toComparer', () => {
  it('joins deltas, takes out ids of requests, and has each value as one text', () => {
    expect(toComparer(index, masks()).linesOf(index.serverLines)).toEqual([
      {
        lineNumber: 2,
        value: delta('ab'),
        text: expect.stringContaining('"delta":"ab"'),
        label: 'agent_message_delta',
      },
      {
        lineNumber: 4,
        value: { result: { b: UUID, a: 't1', taskId: 't1' } },
        text: `{"result":{"a":"t1","b":"${UUID}","taskId":"t1"}}`,
        label: 'response',
      },
      { lineNumber: 5, value: 'no JSON', text: '"no JSON"', label: 'no message' },
    ]);
  });

  it('replaces what the masks hide, and handles by where they were issued', () => {
    const [, response] = toComparer(index, masks('uuid', 'handle')).linesOf(index.serverLines);
    expect(response?.text).not.toContain(UUID);
    expect(response?.value).toMatchObject({ result: { taskId: '<handle 0.0>' } });
  });

  it('has one text for the meaning of a client line', () => {
    expect(keysOf(masks())).toEqual([`request go {"of":"${UUID}"}`, 'request get {"taskId":"t1"}']);
    expect(keysOf(masks('handle'))[1]).toBe('request get {"taskId":"<handle 0.0>"}');
  });

  it('looks for handles only where they are masked', () => {
    expect(toComparer(index, masks()).handles().size).toBe(0);
    expect([...toComparer(index, masks('handle')).handles().keys()]).toContain('= t1');
  });
});

describe('toUnmasked', () => {
  it('has the lines as they are, deltas joined', () => {
    expect(toUnmasked(index.serverLines).map(({ lineNumber, label, value }) => [lineNumber, label, value])).toEqual([
      [2, 'agent_message_delta', delta('ab')],
      [4, 'response', { id: 1, result: { b: UUID, a: 't1', taskId: 't1' } }],
      [5, 'no message', 'no JSON'],
    ]);
  });
});

describe('parseTexts', () => {
  it.each<[string, unknown, unknown]>([
    ['an object', { text: ' {"a":[1]}' }, { text: { json: { a: [1] } } }],
    ['a list', ['[1,2]'], [{ json: [1, 2] }]],
    ['a text that is cut off', '{"a":', '{"a":'],
    ['a plain text', 'a', 'a'],
    ['a number as text', '12', '12'],
    ['a delta', { delta: '{}', chunk: '[]' }, { delta: '{}', chunk: '[]' }],
  ])('reads %s', (_, value, parsed) => {
    expect(parseTexts(value)).toEqual(parsed);
  });

  it('leaves a text that nests too deep as it is', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(parseTexts(deep)).toBe(deep);
  });

  it('takes any value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(parseTexts(JSON.stringify([value]))).toEqual({ json: JSON.parse(JSON.stringify([value])) });
      }),
    );
  });
});
