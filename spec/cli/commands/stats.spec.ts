import { stats } from '../../../src/cli/commands/stats';
import { givenBy, problemBy } from '../reading';

describe('stats', () => {
  it('takes a tape', () => {
    expect(givenBy(stats, 't', '--session', '2', '--json')).toEqual({
      file: 't',
      session: 2,
      json: true,
      command: [],
    });
  });

  it('refuses a session that does not count from 1', () => {
    expect(problemBy(stats, 't', '--session', '-1')).toBe('--session must be a whole number from 1');
  });
});
