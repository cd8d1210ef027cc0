/** Reuses a Config as long as the files and folders that it was made from are unchanged. */
import type { ThreadSettings } from '../protocol/codex/settings';
import { toJson } from '../protocol/jsonrpc/json';
import { recentMap } from '../streams/recentMap';
import type { Config } from './config';
import type { ConfigDeps } from './deps';
import { loadConfig } from './loadConfig';

/** What a Config was made from: the result of each look at the machine, by the function that looked and the path. */
type Looks = Pick<ConfigDeps, 'readFile' | 'isDirectory' | 'realpath'>;
type Seen = { [K in keyof Looks]: Map<string, ReturnType<Looks[K]>> };
type Kept = { config: Config; seen: Seen };

/** A client alternates between few settings; those of more calls are loaded again. */
const KEPT_SETTINGS = 16;

/**
 * As `loadConfig`: each call looks again at the files and folders that its settings depend on, so an edited file applies at once, but
 * parses and checks them only where one has changed. Threads of the same settings share one Config. The environment and the flags
 * must stay as they are. Throws ConfigError, nothing else.
 */
export const reuseConfig = (deps: ConfigDeps): ((settings: ThreadSettings) => Config) => {
  const kept = recentMap<Kept>(KEPT_SETTINGS); // by settings
  return (settings) => {
    const key = toJson(settings);
    const last = kept.get(key);
    if (last !== undefined && isUnchanged(deps, last.seen)) return last.config;
    const seen: Seen = { readFile: new Map(), isDirectory: new Map(), realpath: new Map() };
    const config = loadConfig({ ...deps, ...noting(deps, seen) })(settings);
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
