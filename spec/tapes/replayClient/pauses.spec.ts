import { toPauses } from '../../../src/tapes/replayClient/pauses';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';

const index = toSessionIndex(
  sessionFrom(
    [0, 'in', { id: 1, method: 'a' }],
    [100, 'out', { id: 1, result: 'A' }],
    [300, 'in', { method: 'n' }],
    [500, 'in', { id: 2, method: 'b' }],
    [600, 'out', { id: 0, method: 'ask' }],
    [700, 'in', { id: 0, result: 'yes' }],
    [9_000, 'in', { method: 'n' }],
    [9_400, 'exit', '{"code":null,"sig":"SIGTERM"}'],
  ),
);

describe('toPauses', () => {
  it('waits after a notification and a response, a second at most', () => {
    expect(toPauses(index, 'needed')).toEqual([0, 200, 0, 1_000, 400]);
  });

  it('waits as long as recorded, at a multiple of the pace', () => {
    expect(toPauses(index, 1)).toEqual([300, 200, 200, 8_300, 400]);
    expect(toPauses(index, 10)).toEqual([30, 20, 20, 830, 40]);
  });

  it('does not wait at all', () => {
    expect(toPauses(index, 'max')).toEqual([0, 0, 0, 0, 0]);
  });
});
