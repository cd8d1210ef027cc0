/** Limits the environment that a call chooses to the environments that the operator allows. */
import type { ThreadSettings } from '../../protocol/codex/settings';
import type { ConfigDeps } from '../deps';
import { ConfigError } from '../faults/configError';
import { dotted, listed } from '../faults/errorText';
import { environmentIds, LOCAL } from '../places/readEnvironment';
import { leavesOf } from './callKeys';
import type { Ceiling } from './ceiling';
import { isFileKey } from './limitFiles';

type EnvironmentChoice = {
  /** The environment of the thread. */
  asked: string;
  /** The environment without the settings of the call. */
  own: string;
  /** The value of `allowed_environments`. */
  allowed: readonly string[] | undefined;
  ceiling: Ceiling;
};

/**
 * Throws ConfigError if a call chooses an environment that it may not. The environment of the operator is always allowed; under `--lock`, or if a flag names
 * it, it is the only one. Otherwise `allowed_environments` are allowed, by default the environments of environments.toml, but not this machine.
 */
export const limitEnvironment = (deps: ConfigDeps, { asked, own, allowed, ceiling }: EnvironmentChoice): void => {
  const { lock = false, allowCallOverride = false } = deps.limits ?? {};
  if (asked === own || allowCallOverride) return;
  if (lock || ceiling.table.environment_id !== undefined) {
    const place = lock ? 'the flag --lock keeps threads in' : `${ceiling.where(['environment_id'])} names`;
    throw refused(asked, `${place} \`${own}\``);
  }
  const known = allowed ?? [...new Set([own, ...environmentIds(deps)])];
  if (!known.includes(asked)) {
    const why = allowed === undefined && asked === LOCAL ? ', as the operator sends threads elsewhere' : '';
    throw refused(asked, `the operator allows ${listed(known, '`')}${why}`);
  }
};

const refused = (asked: string, why: string): ConfigError =>
  new ConfigError(
    `the call asks for environment_id = "${asked}", but ${why}; the operator can add it to allowed_environments, or start the server with --allow-call-override`,
  );

/** Throws ConfigError if a call whose thread works elsewhere names a file: it would be read on this machine. */
export const limitFilesElsewhere = ({ limits }: ConfigDeps, { config = {} }: ThreadSettings): void => {
  if (limits?.allowCallOverride) return;
  const key = leavesOf(config)
    .map(({ path }) => dotted(path))
    .find(isFileKey);
  if (key === undefined || limits?.allowCallConfig.includes(key)) return;
  throw new ConfigError(
    `argument config, key ${key}: the file would be read on this machine, while the thread works on another; give the text in the argument base-instructions`,
  );
};
