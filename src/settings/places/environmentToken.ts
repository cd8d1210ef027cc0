/** The token that an exec-server at an address asks for. */
import type { JsonObject } from '../../protocol/jsonrpc/json';
import type { ConfigDeps } from '../deps';
import { ConfigError } from '../faults/configError';

/** The token of the one exec-server at an address. */
const OF_THE_ONLY = 'CODEX_RX_EXEC_TOKEN';

/** `table`: as written; `where`: the words for an error; `isOnly`: no other exec-server at another address can be named. */
export type TokenOf = { table: JsonObject; where: string; isOnly: boolean };

/**
 * The token in the variable that an environment names, else the one in its table, else that of CODEX_RX_EXEC_TOKEN, which is for one exec-server
 * alone: where there are several, none gets the token of another. Throws ConfigError where a named variable is not set.
 * Source: codex 0.169.0 has `auth_bearer_token`; its MCP servers have `bearer_token_env_var`.
 */
export const environmentToken = (
  { env }: Pick<ConfigDeps, 'env'>,
  { table, where, isOnly }: TokenOf,
): string | undefined => {
  const { bearer_token_env_var: name, auth_bearer_token: given } = table;
  if (typeof name === 'string' && !env[name]) {
    throw new ConfigError(`${where}: bearer_token_env_var names ${name}, which is not set; set it for codex-rx`);
  }
  if (typeof name === 'string') return env[name];
  if (typeof given === 'string' && given !== '') return given;
  return isOnly ? env[OF_THE_ONLY] || undefined : undefined;
};
