/** The environment that keeps a command that runs unasked from running programs that a repository names. */

const VARIABLES = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_PAGER: 'cat',
  PAGER: 'cat',
  CDPATH: '',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
};

/** They name programs and files that run; a folder's `.env` or its shell may have set them to the repository's own. */
const RUNS_CODE = ['BASH_ENV', 'GIT_EXTERNAL_DIFF', 'RIPGREP_CONFIG_PATH'];

const GIT_CONFIG: readonly (readonly [string, string])[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['safe.bareRepository', 'explicit'],
  ['log.showSignature', 'false'],
  ['gpg.program', 'false'],
  ['gpg.openpgp.program', 'false'],
  ['gpg.x509.program', 'false'],
  ['gpg.ssh.program', 'false'],
  ['diff.ignoreSubmodules', 'dirty'],
];

/**
 * The environment of a trusted command: no fsmonitor, hook, pager or signature program, no repository that a checkout
 * carries as plain files, nothing run inside a submodule, no fetch of missing objects, no write to the index. `cd` goes nowhere
 * but to its argument, and no variable names code to run.
 * Settings that the environment gives git already are kept, ours come after them and win.
 * Programs under names of the repository's choice (`diff.*`, `filter.*`) cannot be switched off here: namesPrograms finds them.
 * Source: git 2.39.5, each setting tried with and without.
 */
export const trustedEnvironment = (env: Readonly<Record<string, string>>): Record<string, string> => {
  const given = countGiven(env);
  const ours = GIT_CONFIG.flatMap(([key, value], i) => [
    [`GIT_CONFIG_KEY_${given + i}`, key],
    [`GIT_CONFIG_VALUE_${given + i}`, value],
  ]);
  return {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => !RUNS_CODE.includes(name))),
    ...VARIABLES,
    GIT_CONFIG_COUNT: String(given + GIT_CONFIG.length),
    ...Object.fromEntries(ours),
  };
};

/** How many settings the environment gives; none if one of them is not whole, for git refuses to start over that. */
const countGiven = (env: Readonly<Record<string, string>>): number => {
  const count = Number(env.GIT_CONFIG_COUNT ?? 0);
  if (!Number.isInteger(count) || count < 0) return 0;
  for (let i = 0; i < count; i++) {
    if (env[`GIT_CONFIG_KEY_${i}`] === undefined || env[`GIT_CONFIG_VALUE_${i}`] === undefined) return 0;
  }
  return count;
};
