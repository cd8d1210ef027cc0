/** The environment that prevents a command that runs without asking from running programs that a repository names. */
const VARIABLES = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_PAGER: 'cat',
  PAGER: 'cat',
  CDPATH: '',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
};

/**
 * What a command that only reads needs of its environment; it sees nothing else. No shell, loader or git takes one of these for code: whatever else they obey
 * (`SHELLOPTS` and `PS4`, `BASH_ENV`, functions, `LD_PRELOAD`, `GIT_DIR`), a project's `.env` may have set.
 */
const PLAIN =
  /^(?:PWD|USER|LOGNAME|USERNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TERM|COLORTERM|COLUMNS|NO_COLOR|TMPDIR|TEMP|TMP|__CF_USER_TEXT_ENCODING)$|^(?:SYSTEMROOT|WINDIR|COMSPEC|PATHEXT|USERPROFILE|APPDATA|LOCALAPPDATA)$/i;

/** Folders with programs, libraries and settings: they count unless they are relative, or belong to the workspace. */
const FOLDERS: readonly string[] = ['PATH', 'LD_LIBRARY_PATH', 'HOME', 'XDG_CONFIG_HOME'];

/** The folders of a list, with `:` between them, that are absolute and do not belong to the workspace. */
type TrustedPath = (folders: string) => string;

/** Variables that a shell, a loader, an interpreter or git takes for code. */
const CODE =
  /^(?:BASH_.*|ENV|SHELLOPTS|BASHOPTS|PS4|PROMPT_COMMAND|LD_.*|DYLD_.*|GCONV_PATH|NODE_OPTIONS|PYTHON.*|PERL5.*|RUBY.*|GIT_.*|RIPGREP_CONFIG_PATH)$/s;

/** The environment of a command that a rule lets run: no variable names code, PATH has no folder of the workspace, git obeys no bare repository. */
export const withoutCode = (
  env: Readonly<Record<string, string>>,
  trustedPath: TrustedPath,
): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => !CODE.test(name))),
  ...(env.PATH !== undefined && { PATH: trustedPath(env.PATH) }),
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'safe.bareRepository',
  GIT_CONFIG_VALUE_0: 'explicit',
});

const plain = (env: Readonly<Record<string, string>>, trustedPath: TrustedPath): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]): [string, string][] => {
      if (!FOLDERS.includes(name)) return PLAIN.test(name) ? [[name, value]] : [];
      const folders = trustedPath(name === 'LD_LIBRARY_PATH' ? value.replaceAll(';', ':') : value); // the loader takes both
      return folders === '' ? [] : [[name, folders]];
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
];

/**
 * The environment of a trusted command: no fsmonitor, hook, pager or signature program, no repository that a checkout
 * carries as plain files, no fetch of missing objects, no write to the index. `cd` goes nowhere
 * but to its argument, and no variable names code to run. Of settings that the environment gives git, `safe.directory` is kept.
 * Programs under names that the repository chooses (`diff.*`, `filter.*`) and those of submodules cannot be switched off here: what keeps them from doing
 * anything is the read-only sandbox, without which no git runs unasked.
 * Source: git 2.39.5, each setting tried with and without.
 */
export const trustedEnvironment = (
  env: Readonly<Record<string, string>>,
  trustedPath: TrustedPath,
): Record<string, string> => {
  const settings = [...givenSettings(env), ...GIT_CONFIG].flatMap(([key, value], i) => [
    [`GIT_CONFIG_KEY_${i}`, key],
    [`GIT_CONFIG_VALUE_${i}`, value],
  ]);
  return {
    ...plain(env, trustedPath),
    ...VARIABLES,
    GIT_CONFIG_COUNT: String(settings.length / 2),
    ...Object.fromEntries(settings),
  };
};

/** The folders of others that git may use, as the environment says; none if any setting is incomplete, because git then refuses to start. */
const givenSettings = (env: Readonly<Record<string, string>>): [string, string][] => {
  const settings: [string, string][] = [];
  for (let i = 0; i < Number(env.GIT_CONFIG_COUNT ?? 0); i++) {
    const [key, value] = [env[`GIT_CONFIG_KEY_${i}`], env[`GIT_CONFIG_VALUE_${i}`]];
    if (key === undefined || value === undefined) return [];
    if (/^safe\.directory$/i.test(key)) settings.push([key, value]);
  }
  return settings;
};
