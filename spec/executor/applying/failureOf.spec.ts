import { failureOf, folderFailure } from '../../../src/executor/applying/failureOf';
import type { FilePlan } from '../../../src/executor/patch/plan';

const after = { bytes: new Uint8Array(), mode: 'default' as const, access: 'writable' as const };
const plan = (own: Partial<FilePlan>) => ({ path: 'a', ...own }) as FilePlan;

describe('failureOf', () => {
  it.each([
    [plan({ after }), 'Failed to write file a'],
    [plan({}), 'Failed to delete file a'],
    [plan({ movedTo: '/b' }), 'Failed to remove original a'],
  ])('of %j is %s', (given, text) => expect(failureOf(given)).toBe(text));
});

describe('folderFailure', () => {
  it('names the file below', () => {
    expect(folderFailure(plan({}))).toBe('Failed to create parent directories for a');
  });
});
