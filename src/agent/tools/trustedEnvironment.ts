/** The environment that prevents a command that runs without asking from running programs that a repository names. */
import { isAbsolute } from 'node:path';

const VARIABLES = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_PAGER: 'cat',
  PAGER: 'cat',
  CDPATH: '',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
};

/**
 * Variables that name programs and files to run, or are bash functions; a folder's `.env` or its shell may have set them to the repository's own.
 * With some variables of git, it would use another repository than the checked one, or settings that win over ours.
 */
const RUNS_CODE =
  /^(?:BASH_ENV|BASH_FUNC_.*|GIT_(?:EXTERNAL_DIFF|CONFIG_PARAMETERS|DIR|COMMON_DIR|WORK_TREE|INDEX_FILE)|RIPGREP_CONFIG_PATH)$/s;

/** Settings of git that name programs, or files with such settings. */
const NAMES_PROGRAMS = /^(?:diff|filter|hook|include|includeif|status)\./i;

/** One path: nothing separates it from another. */
const ALONE = /(?!)/;

/**
 * Lists of files and folders whose code programs load, with their separators, and places where git looks for settings. A relative or empty entry
 * refers to the folder in which the command runs. Source: ld.so(8), glibc 2.36; git 2.39.5, each tried.
 */
const LOADED: Readonly<Record<string, RegExp>> = {
  LD_AUDIT: /:/,
  LD_LIBRARY_PATH: /[:;]/,
  LD_PRELOAD: /[\s:]/,
  GCONV_PATH: /:/,
  GIT_CONFIG_GLOBAL: ALONE,
  GIT_CONFIG_SYSTEM: ALONE,
  GIT_EXEC_PATH: ALONE,
  HOME: ALONE,
  XDG_CONFIG_HOME: ALONE,
};

/** An environment in which no variable names code to run, or does so with absolute paths only. */
export const withoutCode = (env: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]): [string, string][] => {
      const between = LOADED[name];
      if (between === undefined) return RUNS_CODE.test(name) ? [] : [[name, value]];
      const absolute = value.split(between).filter(isAbsolute);
      return absolute.length === 0 ? [] : [[name, absolute.join(':')]];
    }),
  );

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
  ['index.threads', '1'], // with more, git reads the entries at the places that an extension of the index names, where gitlinks does not look
];

/**
 * The environment of a trusted command: no fsmonitor, hook, pager or signature program, no repository that a checkout
 * carries as plain files, nothing run inside a submodule, no fetch of missing objects, no write to the index. `cd` goes nowhere
 * but to its argument, and no variable names code to run.
 * Settings that the environment already gives git are kept, except if they name programs; ours come after them and win.
 * Programs under names that the repository chooses (`diff.*`, `filter.*`) cannot be switched off here: namesPrograms finds them.
 * Source: git 2.39.5, each setting tried with and without.
 */
export const trustedEnvironment = (env: Readonly<Record<string, string>>): Record<string, string> => {
  const settings = [...givenSettings(env), ...GIT_CONFIG].flatMap(([key, value], i) => [
    [`GIT_CONFIG_KEY_${i}`, key],
    [`GIT_CONFIG_VALUE_${i}`, value],
  ]);
  return {
    ...withoutCode(env),
    ...VARIABLES,
    GIT_CONFIG_COUNT: String(settings.length / 2),
    ...Object.fromEntries(settings),
  };
};

/** The settings that the environment gives; none if any is incomplete, because git then refuses to start. */
const givenSettings = (env: Readonly<Record<string, string>>): [string, string][] => {
  const count = Number(env.GIT_CONFIG_COUNT ?? 0);
  if (!Number.isInteger(count) || count < 0) return [];
  const settings: [string, string][] = [];
  for (let i = 0; i < count; i++) {
    const [key, value] = [env[`GIT_CONFIG_KEY_${i}`], env[`GIT_CONFIG_VALUE_${i}`]];
    if (key === undefined || value === undefined) return [];
    if (!NAMES_PROGRAMS.test(key)) settings.push([key, value]);
  }
  return settings;
};
