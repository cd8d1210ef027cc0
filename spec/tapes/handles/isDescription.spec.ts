import { isDescription } from '../../../src/tapes/handles/isDescription';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';

describe('isDescription', () => {
  it.each([
    ['initialize', true],
    ['server/discover', true],
    ['tools/list', true],
    ['tools/call', false],
    ['resources/list', false],
  ])('of the response to %s is %s', (method, expected) => {
    const index = toSessionIndex(sessionFrom([0, 'in', { id: 1, method }], [1, 'out', { id: 1, result: {} }]));
    expect(index.serverLines.map((line) => isDescription(index, line))).toEqual([expected]);
  });

  it('is false for what belongs to no request', () => {
    const index = toSessionIndex(sessionFrom([0, 'in', { id: 1, method: 'tools/list' }], [1, 'out', { method: 'x' }]));
    expect(index.serverLines.map((line) => isDescription(index, line))).toEqual([false]);
  });
});
