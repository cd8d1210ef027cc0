import { check } from '../../../src/cli/commands/check';
import { givenBy, problemBy } from '../reading';

describe('check', () => {
  it('takes a tape or a folder, and rules', () => {
    expect(givenBy(check, 'tapes', '--slow', '20', '--forbid', 'a*', '--allow', 'error')).toMatchObject({
      file: 'tapes',
      more: [],
      slow: 20,
      forbid: ['a*'],
      allow: ['error'],
      report: 'text',
    });
  });

  it('takes several tapes, of which one may be stdin', () => {
    expect(givenBy(check, 'a', 'tapes', '-')).toMatchObject({ file: 'a', more: ['tapes', '-'] });
    expect(problemBy(check, '-', 'a', '-')).toBe('only one of the files can be stdin');
    expect(problemBy(check, 't', '--min-coverage', '101')).toBe('--min-coverage must be at most 100');
  });

  it('refuses a rule that it does not know', () => {
    expect(problemBy(check, 't', '--allow', 'all')).toMatch(/^--allow must be .*hung/);
  });
});
