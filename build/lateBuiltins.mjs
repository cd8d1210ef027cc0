/**
 * Node modules that take a millisecond or more to load, and that the start or a first call may not need. The first call of one of their
 * functions loads the module.
 */
const LATE = ['node:child_process', 'node:crypto', 'node:fs/promises'];

/** Classes and constants are left out: importing one of these is a build error. */
const functionsOf = async (id) =>
  Object.entries(await import(id))
    .filter(([name, value]) => typeof value === 'function' && /^[a-z]/.test(name) && name !== 'default')
    .map(([name]) => name);

const contentsOf = async (id) =>
  [
    `let loaded;`,
    `const load = () => (loaded ??= require('${id}'));`,
    ...(await functionsOf(id)).map((name) => `export const ${name} = (...args) => load().${name}(...args);`),
  ].join('\n');

export const lateBuiltins = {
  name: 'modules of Node that are loaded later',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^node:/ }, ({ kind, path: id }) =>
      kind === 'import-statement' && LATE.includes(id) ? { path: id, namespace: 'late' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'late' }, async ({ path: id }) => ({ contents: await contentsOf(id) }));
  },
};
