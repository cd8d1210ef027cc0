import { importTape } from '../../../src/cli/commands/import';
import { givenBy, problemBy } from '../reading';

describe('import', () => {
  it('looks at the file for its format by default', () => {
    expect(givenBy(importTape, '-')).toEqual({ file: '-', from: 'auto', out: undefined, command: [] });
  });

  it('refuses a format that it does not know', () => {
    expect(problemBy(importTape, 'f', '--from', 'har')).toMatch(/^--from must be auto, .*; it is har$/);
  });
});
