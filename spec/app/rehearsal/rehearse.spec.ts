import { resolve } from 'node:path';
import { rehearse } from '../../../src/app/rehearsal';

describe('rehearse', () => {
  it('serves a whole session to itself, to its right end', async () => {
    await expect(rehearse({ dist: resolve('dist'), version: '0.0.0' })).resolves.toBeUndefined();
  });
});
