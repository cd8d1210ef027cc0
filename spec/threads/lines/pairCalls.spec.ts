import fc from 'fast-check';
import type { ResponseItem } from '../../../src/protocol/model/items';
import { pairCalls } from '../../../src/threads/lines/storedItems';

/** By letter: u, d messages to the model, m one of it, r reasoning; a, b, c calls, x a free-form one; A, B, C, X their outputs. */
const item = (letter: string): ResponseItem => {
  if (letter === 'r') return { type: 'reasoning', id: 'r', summary: [] };
  if (letter === 'x') return { type: 'custom_tool_call', name: 't', input: '', call_id: 'x' };
  if (letter === 'X') return { type: 'custom_tool_call_output', call_id: 'x', output: 'X' };
  if ('abc'.includes(letter)) return { type: 'function_call', name: 't', arguments: '', call_id: letter };
  if ('ABC'.includes(letter)) return { type: 'function_call_output', call_id: letter.toLowerCase(), output: letter };
  const role = letter === 'u' ? 'user' : letter === 'd' ? 'developer' : 'assistant';
  return { type: 'message', role, content: [] };
};

/** The other way round; `!` marks an output `aborted`. */
const letterOf = (each: ResponseItem): string => {
  if (each.type === 'reasoning') return 'r';
  if (each.type === 'message') return each.role === 'user' ? 'u' : each.role === 'developer' ? 'd' : 'm';
  if ('output' in each) return `${each.call_id.toUpperCase()}${each.output === 'aborted' ? '!' : ''}`;
  return each.call_id;
};

const paired = (letters: string): string =>
  pairCalls([...letters].map(item))
    .map(letterOf)
    .join('');

describe('pairCalls', () => {
  it.each([
    ['', ''],
    ['dum', 'dum'],
    ['uraAm', 'uraAm'],
    ['uabBAm', 'uabABm'],
    ['uabAcCBm', 'uabcABCm'],
    ['uaAbBm', 'uaAbBm'],
    ['uab', 'uabA!B!'],
    ['uaum', 'uaA!um'],
    ['uxum', 'uxX!um'],
    ['uBm', 'um'],
    ['umr', 'um'],
    ['urum', 'uum'],
    ['uaAuaA', 'uaAuaA'],
    ['uaAua', 'uaAuaA!'],
    ['Au', 'u'],
  ])('makes of %s %s', (letters, expected) => {
    expect(paired(letters)).toBe(expected);
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...'udmrabcxABCX')), (letters) => {
        const once = pairCalls(letters.map(item));
        expect(pairCalls(once)).toEqual(once);
      }),
    );
  });
});
