/**
 * Transforms a module that only passes on packages into one script with all of them. RxJS has 230 modules, which Jest looks up, reads and runs anew
 * for each spec file; that took a twelfth of the time of all specs.
 */
const { createHash } = require('node:crypto');
const { version, buildSync } = require('esbuild');

/** The builds for ES2015, which the program runs too (`rxjs` in `build/root.mjs`). */
const OPTIONS = {
  bundle: true,
  conditions: ['es2015'],
  platform: 'neutral',
  format: 'cjs',
  target: 'node20',
  write: false,
};

const lock = require.resolve('../../../package-lock.json');

module.exports = {
  /** Another version of a package or of esbuild makes another script. */
  getCacheKey: (text) => {
    const { packages } = require(lock);
    return createHash('sha256')
      .update(JSON.stringify([text, version, packages]))
      .digest('hex');
  },
  process: (_text, path) => ({ code: buildSync({ ...OPTIONS, entryPoints: [path] }).outputFiles[0].text }),
};
