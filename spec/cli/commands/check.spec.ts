import { check } from '../../../src/cli/commands/check';
import { givenBy, problemBy } from '../reading';

describe('check', () => {
  it('takes a tape or a folder, and rules', () => {
    expect(givenBy(check, 'tapes', '--slow', '20', '--forbid', 'a*', '--allow', 'error')).toMatchObject({
      file: 'tapes',
      slow: 20,
      forbid: ['a*'],
      allow: ['error'],
      report: 'text',
    });
  });

  it('refuses a rule that it does not know', () => {
    expect(problemBy(check, 't', '--allow', 'all')).toMatch(/^--allow must be .*hung/);
  });
});
