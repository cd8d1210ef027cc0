/** The variables of the executor that a process sees. Own code: only `*` and `?` are wild, as in Codex; glob libraries have more. */
import { holdsPassword, SECRET_VARIABLES } from '../io/log/secretNames';
import type { EnvPolicy } from '../protocol/exec/process';
import { lazy } from '../streams/lazy';

const CORE = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'USER', 'USERNAME', 'TMPDIR', 'TEMP', 'TMP'];
/** A setting, not a secret; git fails if GIT_CONFIG_COUNT announces a missing one. */
const GIT_SETTING = /^GIT_CONFIG_KEY_\d+$/i;

/** `*` and `?`, the whole name, any letter case. */
const toPattern = (glob: string): RegExp =>
  new RegExp(
    `^${glob
      .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
    'is',
  );

const matches = (globs: readonly string[]) => {
  const patterns = globs.map(toPattern);
  return (name: string) => patterns.some((pattern) => pattern.test(name));
};

/** Compiled once: there are dozens of patterns, and each thread needs them. */
const isSecretName = lazy(() => matches(SECRET_VARIABLES));

type Variables = Record<string, string | undefined>;

/**
 * The environment of a process: inherit, drop variables with the name of a secret or the value of a password, drop `exclude`, add `set`, keep `includeOnly`.
 * Source: Codex 0.28.0 `shell_environment_policy`, CORE 6.3.
 */
export const environmentOf = (env: Variables, policy: EnvPolicy): Record<string, string> => {
  const inherited = policy.inherit === 'none' ? [] : policy.inherit === 'core' ? CORE : Object.keys(env);
  const isSecret = isSecretName();
  const isExcluded = matches(policy.exclude);
  const kept = policy.includeOnly.length > 0 ? matches(policy.includeOnly) : () => true;
  const own = inherited.flatMap((name) => {
    const value = env[name];
    if (value === undefined || isExcluded(name)) return [];
    const secret = !policy.ignoreDefaultExcludes && (isSecret(name) || holdsPassword(value)) && !GIT_SETTING.test(name);
    return secret ? [] : [[name, value] as const];
  });
  return Object.fromEntries([...own, ...Object.entries(policy.set)].filter(([name]) => kept(name)));
};

/** The names of the variables that a process does not see. */
export const withheldBy = (env: Variables, policy: EnvPolicy): string[] => {
  const seen = environmentOf(env, policy);
  return Object.keys(env).filter((name) => !Object.hasOwn(seen, name));
};
