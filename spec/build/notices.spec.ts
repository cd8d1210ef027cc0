/** What the package owes the authors of the code it contains. Reads what `npm run build` made. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import lock from '../../package-lock.json';

const ROOT = join(__dirname, '../..');
const notices = readFileSync(join(ROOT, 'dist/THIRD-PARTY-NOTICES'), 'utf8');

/** Licences that may stand inside a work under Apache-2.0, or beside it. */
const COMPATIBLE = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Unlicense',
];

type Locked = { version?: string; license?: string; dev?: boolean; optional?: boolean };
const runtime = Object.entries(lock.packages as Record<string, Locked>).filter(
  ([path, { dev }]) => path !== '' && !dev,
);

describe('THIRD-PARTY-NOTICES', () => {
  it.each(['eventsource-parser', 'rxjs', 'smol-toml', 'tree-sitter-bash', 'web-tree-sitter', 'yargs-parser', 'zod'])(
    'carries the licence of %s, which is bundled',
    (name) => {
      const folder = join(ROOT, 'node_modules', name);
      const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const file = ['LICENSE', 'LICENSE.txt', 'LICENSE.md', 'license']
        .map((each) => join(folder, each))
        .find(existsSync);
      expect(notices).toContain(`${name} ${version} (${license})\n\n${readFileSync(file!, 'utf8').trim()}`);
    },
  );

  it('names the version that is bundled, where a package has a copy of its own', () => {
    const { version } = lock.packages['node_modules/wrap-ansi/node_modules/ansi-styles'];
    expect(notices).toContain(`\nansi-styles ${version} (MIT)\n`);
  });

  it('names no package twice', () => {
    const names = notices.match(/^\S+ \d+\.\d+\.\d+ \(.+\)$/gm) ?? [];
    expect(names.length).toBeGreaterThan(6);
    expect([...new Set(names)]).toEqual(names);
  });
});

describe('run-time dependencies', () => {
  it('have licences that agree with ours', () => {
    expect(runtime.length).toBeGreaterThan(10);
    expect(runtime.filter(([, { license }]) => !COMPATIBLE.includes(license ?? ''))).toEqual([]);
  });
});
