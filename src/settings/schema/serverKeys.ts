/** Keys of `mcp_servers` that have no effect beside each other. */

import { dotted } from '../faults/errorText';
import { isTable, type Table } from '../layer';
import type { Sources } from '../layers/sources';

/** Keys of a server that is started, and of one that is reached; each has no effect in a table of the other kind. */
const OF_COMMAND = ['args', 'env', 'cwd'] as const;
const OF_URL = ['bearer_token_env_var', 'http_headers', 'env_http_headers'] as const;

const TOKEN = 'no token is read from this file; bearer_token_env_var names the variable with it';

type Unused = { path: readonly string[]; why: string };

/** A line for each key without an effect, and for each table that names no server. A table with `enabled = false` is not looked at. */
export const serverKeys = ({ table: { mcp_servers: servers }, placeOf }: Sources): string[] =>
  Object.entries(isTable(servers) ? servers : {})
    .flatMap(([name, table]) => (isTable(table) && table.enabled !== false ? unusedIn(name, table) : []))
    .map(({ path, why }) => `${placeOf(path).where(path)}: ${dotted(path)} ${why}`);

const unusedIn = (name: string, table: Table): Unused[] => {
  const own = (key: string): readonly string[] => ['mcp_servers', name, key];
  const unused = (keys: readonly string[], why: string): Unused[] =>
    keys.filter((key) => table[key] !== undefined).map((key) => ({ path: own(key), why: `has no effect: ${why}` }));
  return [
    ...kindOf(name, table).flatMap(({ keys, why }) => unused(keys, why)),
    ...unused(['bearer_token'], TOKEN),
  ].concat(
    table.command === undefined && table.url === undefined
      ? [{ path: ['mcp_servers', name], why: 'has neither a command nor a url, so there is no such server' }]
      : [],
  );
};

const kindOf = (name: string, { command, url }: Table): { keys: readonly string[]; why: string }[] => {
  if (command !== undefined && url !== undefined)
    return [
      { keys: ['url', ...OF_URL], why: `the command of ${name} counts where both are there; take one of the two out` },
    ];
  if (command !== undefined) return [{ keys: OF_URL, why: `${name} is started by its command, and no url is there` }];
  return url === undefined ? [] : [{ keys: OF_COMMAND, why: `${name} is reached at its url, and no command is there` }];
};
