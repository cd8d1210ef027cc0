import { isLagged, LAGGED } from '../../../src/executor/lag/lagged';

describe('isLagged', () => {
  it('finds the mark among events', () => {
    expect([LAGGED, { kind: 'output' }, { kind: 'lagged' as const }].map(isLagged)).toEqual([true, false, true]);
  });
});
