import { kindHeader, kindOf } from '../../../src/fleet/executor/busMessages';

describe('kindOf', () => {
  it('reads what kindHeader writes, and takes all else for a whole message', () => {
    const kinds = ['begin', 'more', 'last', 'ping', 'unknown', 'end'] as const;
    expect(kinds.map((kind) => kindOf(kindHeader(kind)))).toEqual(kinds);
    expect([kindOf(undefined), kindOf({}), kindOf({ 'Codex-Rx-Kind': 'else' })]).toEqual(['last', 'last', 'last']);
  });
});
