import { resolve } from 'node:path';
import { runSampleSession } from '../../../src/app/compileCache';

describe('runSampleSession', () => {
  it('serves a whole session to itself, to its right end', async () => {
    await expect(runSampleSession({ dist: resolve('dist'), version: '0.0.0' })).resolves.toBeUndefined();
  });
});
