import { opensSession } from '../../../src/tapes/matching/opensSession';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';

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
