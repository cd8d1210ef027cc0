/** Each program of others can be installed; `.ci/run` does so beside the suites, before the other specs of this folder need it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { INSTALL_MS, installed, PEER_NAMES } from './installed';

describe('a program of others', () => {
  it.each(PEER_NAMES)(
    'is installed: %s',
    (name) => {
      expect(existsSync(join(installed(name), '../../installed'))).toBe(true);
    },
    INSTALL_MS,
  );
});
