import { logout } from '../../../src/cli/commands/logout';
import { givenBy, problemBy } from '../reading';

describe('logout', () => {
  it('takes nothing', () => {
    expect(givenBy(logout)).toEqual({ command: [] });
    expect(problemBy(logout, 'all')).toMatch(/all/);
    expect(problemBy(logout, '--all')).toMatch(/all/);
  });
});
