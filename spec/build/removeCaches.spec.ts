import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const MODULE = pathToFileURL(join(__dirname, '../../src/build/removeCaches.mjs'));
const CALL = `import { removeCaches } from '${MODULE}'; removeCaches(process.argv[1])`;

describe('removeCaches', () => {
  it('leaves the scripts, and no cache of any release of Node', () => {
    const folder = mkdtempSync(join(tmpdir(), 'codex-rx-caches-'));
    try {
      for (const file of ['main.cjs', 'main.v20.19.0-linux-x64.cache', 'turn.v26.10.0-darwin-arm64.cache', 'cache']) {
        writeFileSync(join(folder, file), '');
      }
      mkdirSync(join(folder, 'types'));
      execFileSync(process.execPath, ['--input-type=module', '-e', CALL, folder]);
      expect(readdirSync(folder).sort()).toEqual(['cache', 'main.cjs', 'types']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
