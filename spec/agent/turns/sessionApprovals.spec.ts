import { sessionApprovals } from '../../../src/agent/turns/approval';

describe('sessionApprovals', () => {
  it('knows what was approved, of its own thread only', () => {
    const [one, two] = [sessionApprovals(), sessionApprovals()];
    one.add('ls');
    one.add('ls');
    expect([one.has('ls'), one.has('rm'), two.has('ls')]).toEqual([true, false, false]);
  });
});
