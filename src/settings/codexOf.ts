/** Which program is the Codex of another machine. */
import type { ConfigDeps } from './deps';
import { environmentOfCall } from './environmentOfCall';
import { environmentTables } from './places/environmentsFile';

/**
 * The program `codex` on the machine of an environment: the key `codex` of its table, which Codex does not have; else, where the operator sends all threads
 * there, the one of `--codex`.
 * @param named by the flag
 */
export const codexOf = (deps: ConfigDeps, environmentId: string, named: string | undefined): string => {
  const path = environmentTables(deps).find(({ table }) => table.id === environmentId)?.table.codex;
  if (typeof path === 'string') return path;
  return (environmentId === environmentOfCall(deps) ? named : undefined) ?? 'codex';
};
