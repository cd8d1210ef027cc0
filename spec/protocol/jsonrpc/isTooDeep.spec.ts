import fc from 'fast-check';
import { isTooDeep, MAX_LEVELS, mayBeTooDeep } from '../../../src/protocol/jsonrpc/isTooDeep';

const lists = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const objects = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

describe('isTooDeep', () => {
  it.each([lists, objects])('counts the levels of lists and objects', (nested) => {
    expect([MAX_LEVELS, MAX_LEVELS + 1, 100_000].map((levels) => isTooDeep(JSON.parse(nested(levels))))).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('looks behind what is shallow', () => {
    expect(isTooDeep(JSON.parse(`{"a":[1,"x",null],"b":{"c":${lists(MAX_LEVELS)}}}`))).toBe(true);
  });

  it('is false for a value that is no list and no object', () => {
    expect([null, 1, 'x', true, undefined].map((value) => isTooDeep(value))).toEqual(Array(5).fill(false));
  });
});

describe('mayBeTooDeep', () => {
  it('is true for each text whose value is', () => {
    const levels = fc.integer({ min: 1, max: 2 * MAX_LEVELS });
    fc.assert(
      fc.property(levels, fc.constantFrom(lists, objects), (levels, nested) => {
        const text = nested(levels);
        return mayBeTooDeep(text) || !isTooDeep(JSON.parse(text));
      }),
    );
  });
});
