/** Builds the package's entry `codex-rx/testing`, with its types. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { root } from './root.mjs';

/**
 * Runners whose `expect` is imported: each has an entry of the same name, which is the same module with the matchers declared for that runner. Their types
 * can be named only where the runner is installed.
 */
const RUNNERS = {
  vitest: ['vitest', 'interface Assertion<T = any> extends MarbleAssertions {}'],
  'jest-globals': [
    'expect',
    'interface Matchers<R extends void | Promise<void>, T = unknown> extends MarbleAssertions {}',
  ],
};

const declarationFor = ([module, declaration]) =>
  `import '${module}';\nimport type { MarbleAssertions } from './matchers';\nexport * from './index';\ndeclare module '${module}' {\n  ${declaration}\n}\n`;

/** A file of types, and those that it names, directly or not. */
const namedFrom = (file) => {
  const found = new Set([file]);
  for (const one of found) {
    const names = readFileSync(one, 'utf8').matchAll(/\b(?:from |import\()'(\.[^']+)'/g);
    for (const [, to] of names) found.add(`${path.join(path.dirname(one), to)}.d.ts`); // a Set also walks what is added
  }
  return found;
};

/** Returns the files that went into the entry. */
export const buildTesting = async () => {
  const { metafile } = await build({
    ...{ entryPoints: ['src/testing/index.ts'], absWorkingDir: root, outfile: 'dist/testing.cjs', bundle: true },
    ...{ platform: 'node', target: 'node20', format: 'cjs', external: ['rxjs'], logLevel: 'warning', metafile: true },
    ...{ minifySyntax: true, minifyWhitespace: true }, // as the program
  });
  const types = path.join(root, 'dist/types');
  rmSync(types, { recursive: true, force: true });
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.testing.json'], { cwd: root, stdio: 'inherit' });
  const named = namedFrom(path.join(types, 'testing/index.d.ts'));
  for (const { name, parentPath } of readdirSync(types, { recursive: true, withFileTypes: true })) {
    const file = path.join(parentPath, name);
    if (![...named].some((one) => one.startsWith(file))) rmSync(file, { recursive: true, force: true });
  }
  for (const [name, runner] of Object.entries(RUNNERS))
    writeFileSync(path.join(types, 'testing', `${name}.d.ts`), declarationFor(runner));
  return Object.keys(metafile.inputs);
};
