import fc from 'fast-check';
import { parseLine } from '../../../src/protocol/jsonrpc/parseLine';
import { matchKey, opensSession, toCanonical } from '../../../src/tapes/matching/matchKey';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';

const keyOf = (message: object, recorded = (id: unknown) => id) =>
  matchKey(parseLine(JSON.stringify(message)), recorded as never);

describe('matchKey', () => {
  it.each([
    ['ids of requests', { id: 1, method: 'a' }, { id: 2, method: 'a' }],
    ['no params and empty ones', { id: 1, method: 'a' }, { id: 1, method: 'a', params: {} }],
    ['_meta', { method: 'a', params: { b: 1, _meta: { c: 1 } } }, { method: 'a', params: { b: 1, _meta: { c: 2 } } }],
    ['the order of members', { method: 'a', params: { b: 1, c: 2 } }, { method: 'a', params: { c: 2, b: 1 } }],
  ])('is the same for %s', (_, one, other) => {
    expect(keyOf(one)).toBe(keyOf(other));
  });

  it.each([
    ['methods', { id: 1, method: 'a' }, { id: 1, method: 'b' }],
    ['params', { method: 'a', params: { b: 1 } }, { method: 'a', params: { b: 2 } }],
    ['a request and a notification', { id: 1, method: 'a' }, { method: 'a' }],
    ['ids of responses', { id: 1, result: {} }, { id: 2, result: {} }],
    ['a result and an error', { id: 1, result: {} }, { id: 1, error: {} }],
  ])('differs for %s', (_, one, other) => {
    expect(keyOf(one)).not.toBe(keyOf(other));
  });

  it('has the recorded id of a request that a notification names', () => {
    const cancel = (requestId: unknown) => ({ method: 'notifications/cancelled', params: { requestId } });
    expect(keyOf(cancel('x'), () => 1)).toBe(keyOf(cancel(1)));
  });
});

describe('toCanonical', () => {
  it('is the same text for the same value, whatever the order of its members', () => {
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([name, part]) => [name, reversed(part)]),
      );
    };
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(toCanonical(reversed(value))).toBe(toCanonical(value));
        expect(JSON.parse(toCanonical(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('is a text for a value that JSON does not have', () => {
    expect(toCanonical(undefined)).toBe('undefined');
  });
});

describe('opensSession', () => {
  it('knows the first line of each session, whatever its id', () => {
    const sessions = [
      sessionFrom([0, 'in', { id: 0, method: 'server/discover' }], [1, 'in', { id: 1, method: 'tools/list' }]),
      sessionFrom([0, 'in', { id: 0, method: 'initialize', params: { a: 1 } }]),
      sessionFrom(),
    ].map(toSessionIndex);
    const opens = opensSession(sessions);
    expect(opens('{"id":"x","method":"server/discover","params":{"_meta":{}}}')).toBe(true);
    expect(opens('{"id":7,"method":"initialize","params":{"a":1}}')).toBe(true);
    expect(opens('{"id":7,"method":"initialize","params":{"a":2}}')).toBe(false);
    expect(opens('{"id":7,"method":"tools/list"}')).toBe(false);
  });
});
