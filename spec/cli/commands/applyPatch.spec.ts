import { applyPatch } from '../../../src/cli/commands/applyPatch';
import { givenBy, problemBy } from '../reading';

describe('applyPatch', () => {
  it('takes a file, or stdin if none is named', () => {
    expect(givenBy(applyPatch)).toEqual({ cd: undefined, command: [] });
    expect(givenBy(applyPatch, '-C', 'src', '-')).toMatchObject({ file: '-', cd: 'src' });
  });

  it('refuses two files', () => {
    expect(problemBy(applyPatch, 'a', 'b')).toBe('b is one word too many');
  });
});
