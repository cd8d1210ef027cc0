/** What is in the packed package: nothing that grows unseen, and nothing that only the machine of the packer can use. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

type Packed = { size: number; unpackedSize: number; files: { path: string; size: number }[] };

const packed = (): Packed =>
  JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts', '--offline'], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  )[0];

/** Scripts, WebAssembly, types and texts: what any machine can use. */
const PORTABLE = /\.(?:js|cjs|wasm|d\.ts|html|1|md|json|jsonl|svg|conf)$|^(?:LICENSE|dist\/THIRD-PARTY-NOTICES)$/;

describe('the package', () => {
  const { size, unpackedSize, files } = packed();
  const paths = files.map(({ path }) => path);

  it('is small', () => {
    expect(size).toBeLessThan(1_400_000);
    expect(unpackedSize).toBeLessThan(5_200_000);
    expect(files.length).toBeLessThan(90);
  });

  it('has what it starts with, and what its entries name', () => {
    const { bin, man } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(paths).toEqual(
      expect.arrayContaining([...Object.values(bin), man, 'dist/testing.cjs', 'dist/types/testing/index.d.ts']),
    );
  });

  it('has only files that any machine can use', () => {
    expect(paths.filter((path) => !PORTABLE.test(path))).toEqual([]);
  });

  it('names no folder of the machine that built it', () => {
    const texts = paths.filter((path) => /\.(?:c?js|html|d\.ts|1)$|NOTICES$/.test(path));
    const named = texts.filter((path) => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      return text.includes(ROOT) || text.includes('codex-rx-split-');
    });
    expect(named).toEqual([]);
  });
});
