import { addApproval, hasApproval, noApprovals } from '../../src/safety';

const rm = { argv: ['rm', '-r', 'a b'], cwd: '/work' };

describe('approvals', () => {
  it('remembers nothing at first', () => {
    expect(hasApproval(noApprovals, rm)).toBe(false);
  });

  it('remembers an argv in its cwd', () => {
    expect(hasApproval(addApproval(noApprovals, rm), { argv: [...rm.argv], cwd: rm.cwd })).toBe(true);
  });

  it('does not take an approval to another cwd', () => {
    expect(hasApproval(addApproval(noApprovals, rm), { ...rm, cwd: '/home' })).toBe(false);
  });

  it('keeps words apart', () => {
    const approvals = addApproval(noApprovals, rm);
    expect(hasApproval(approvals, { ...rm, argv: ['rm', '-r', 'a', 'b'] })).toBe(false);
    expect(hasApproval(approvals, { argv: ['rm -r', 'a b'], cwd: '/work' })).toBe(false);
    expect(hasApproval(approvals, { argv: ['-r', 'a b'], cwd: 'rm' })).toBe(false);
  });

  it('leaves earlier memories as they were', () => {
    const first = addApproval(noApprovals, rm);
    const second = addApproval(first, { ...rm, cwd: '/home' });
    expect([noApprovals.size, first.size, second.size]).toEqual([0, 1, 2]);
    expect(addApproval(second, rm).size).toBe(2);
  });
});
