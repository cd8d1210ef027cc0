import { kindOf, ofKindOf } from '../../../src/executor/nats/busMessage';

describe('kindOf', () => {
  it('reads what ofKindOf writes, and takes all else for a whole message', () => {
    const kinds = ['begin', 'more', 'last', 'ping', 'unknown', 'end'] as const;
    expect(kinds.map((kind) => kindOf(ofKindOf(kind)))).toEqual(kinds);
    expect([kindOf(undefined), kindOf({}), kindOf({ 'Codex-Rx-Kind': 'else' })]).toEqual(['last', 'last', 'last']);
  });
});
