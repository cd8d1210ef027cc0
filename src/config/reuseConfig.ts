/** Gives out a Config again as long as nothing has changed that it was made from. */
import type { ThreadSettings } from '../protocol/codex';
import { toJson } from '../protocol/jsonrpc';
import type { Config } from './config';
import type { ConfigDeps } from './deps';
import { loadConfig } from './loadConfig';

/** What a Config was made from: the results of looking at the machine, by what was looked at and its path. */
type Looks = Pick<ConfigDeps, 'readFile' | 'isDirectory' | 'realpath'>;
type Seen = { [K in keyof Looks]: Map<string, ReturnType<Looks[K]>> };
type Kept = { config: Config; seen: Seen };

/** As many settings of calls are kept as a client is likely to alternate between. */
const MOST = 16;

/**
 * As `loadConfig`: each call looks again at the files and folders that its settings depend on, so an edited file applies at once, but
 * parses and checks them only where one has changed. Threads of the same settings share one Config. The environment and the flags
 * must stay as they are. Throws ConfigError, nothing else.
 */
export const reuseConfig = (deps: ConfigDeps): ((settings: ThreadSettings) => Config) => {
  const kept = new Map<string, Kept>(); // by settings, the oldest first
  return (settings) => {
    const key = toJson(settings);
    const last = kept.get(key);
    if (last !== undefined && isUnchanged(deps, last.seen)) return last.config;
    kept.delete(key);
    const seen: Seen = { readFile: new Map(), isDirectory: new Map(), realpath: new Map() };
    const config = loadConfig({ ...deps, ...noting(deps, seen) })(settings);
    if (kept.size >= MOST) for (const oldest of [...kept.keys()].slice(0, 1)) kept.delete(oldest);
    kept.set(key, { config, seen });
    return config;
  };
};

/** Looks at each path once, and notes the results; what throws is not noted, as no Config comes of it. */
const noting = (deps: Looks, seen: Seen): Looks => ({
  readFile: once(deps.readFile, seen.readFile),
  isDirectory: once(deps.isDirectory, seen.isDirectory),
  realpath: once(deps.realpath, seen.realpath),
});

const once =
  <R>(look: (path: string) => R, results: Map<string, R>) =>
  (path: string): R => {
    if (!results.has(path)) results.set(path, look(path));
    return results.get(path) as R;
  };

const isUnchanged = (deps: Looks, { readFile, isDirectory, realpath }: Seen): boolean =>
  isSame(deps.readFile, readFile) && isSame(deps.isDirectory, isDirectory) && isSame(deps.realpath, realpath);

/** False also where looking fails now: loading again reports it. */
const isSame = <R>(look: (path: string) => R, results: Map<string, R>): boolean => {
  try {
    return [...results].every(([path, result]) => look(path) === result);
  } catch {
    return false;
  }
};
