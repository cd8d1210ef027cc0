/** Owns the moment of reading: nothing is parsed, and no parser loaded, before a thread asks for its Config. */
import type { ThreadSettings } from '../protocol';
import type { Config } from './config';

/**
 * What a Config is made from.
 * @param codexHome folder of `config.toml`; need not exist
 * @param cwd absolute; working folder of the server
 * @param env environment of the server; read, never changed
 * @param readFile path => text, undefined where there is no such file; throws otherwise
 * @param isDirectory path => an existing folder, links followed
 * @param overrides values of the server's `-c` flags, in order
 * @param model value of the server's `-m`
 * @param profile value of the server's `-p`
 */
export type ConfigDeps = {
  codexHome: string;
  cwd: string;
  env: Record<string, string | undefined>;
  readFile: (path: string) => string | undefined;
  isDirectory: (path: string) => boolean;
  overrides: readonly string[];
  model?: string;
  profile?: string;
};

/**
 * Makes the Config of one new thread; reads `config.toml` afresh each time, so an edited file counts without a restart.
 * Returns a deeply frozen Config. Throws ConfigError, nothing else.
 * The parsers are loaded by the first call, so that a server starts fast, and starts under a broken file.
 * Source: Codex 0.28.0, which reads the file per tool call.
 */
export const loadConfig =
  (deps: ConfigDeps) =>
  (settings: ThreadSettings): Config => {
    const { load } = require('./load') as typeof import('./load');
    return load(deps, settings);
  };
