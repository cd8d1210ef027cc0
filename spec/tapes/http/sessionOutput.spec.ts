import { lineOf } from '../../../src/tapes/http/sessionOutput';

describe('lineOf', () => {
  it('is a line of its session', () => {
    const recorded = { dir: 'in', line: 'x' } as const;
    expect(lineOf(3, recorded)).toEqual({ kind: 'line', session: 3, recorded });
  });
});
