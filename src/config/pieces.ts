/** Owns what an engine that reads configuration of its own still needs of ours. Parsers are loaded by the first use. */
import { join } from 'node:path';
import type { JsonObject } from '../protocol';
import type { ConfigDeps } from './loadConfig';

/**
 * The keys of a profile: those of `NAME.config.toml` in the Codex home, else of `[profiles.NAME]` in `config.toml`.
 * Throws ConfigError where there is neither, or it cannot be read.
 * Source: codex 0.142.0, which reads the file of a profile; 0.28.0, which has the table.
 */
export const readProfile =
  (deps: Pick<ConfigDeps, 'codexHome' | 'readFile'>) =>
  (name: string): JsonObject => {
    const { configFile, fileTable } = require('./fileLayer') as typeof import('./fileLayer');
    const { notFound } = require('./notFound') as typeof import('./notFound');
    const own = /^[\w.-]+$/.test(name) ? fileTable(deps, join(deps.codexHome, `${name}.config.toml`)) : undefined;
    if (own !== undefined) return own;
    const file = configFile(deps.codexHome);
    const known = tableOf(fileTable(deps, file)?.profiles);
    if (Object.hasOwn(known, name)) return tableOf(known[name]);
    throw notFound({ what: 'config profile', name, where: 'profile', file, known: Object.keys(known) });
  };

const tableOf = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null ? (value as JsonObject) : {};

/** The absolute working folder of a thread; throws ConfigError where it is no existing folder. */
export const workingFolder =
  (deps: Pick<ConfigDeps, 'cwd' | 'isDirectory'>) =>
  (asked: string | undefined): string => {
    const { resolveCwd } = require('./resolveCwd') as typeof import('./resolveCwd');
    return resolveCwd(deps, asked);
  };
