/** The bounds of turns: settings that a call may only lower. */
import { BOUNDS, THREAD_SETTINGS, type ThreadSettings } from '../protocol/codex/settings';
import type { JsonObject } from '../protocol/jsonrpc/json';
import type { ConfigDeps } from './deps';
import { toTable } from './layer';
import { callLayer } from './layers/callLayer';
import { flagLayer } from './layers/flagLayer';

/** The most that a turn may take; an absent one is no bound. */
export type Bounds = Pick<ThreadSettings, (typeof BOUNDS)[number]>;

/** The keys of the bounds in config.toml. */
export const BOUND_KEYS: readonly string[] = BOUNDS.map((name) => THREAD_SETTINGS[name].key.name);

/**
 * The bounds of a thread with these settings, for an engine that reads its configuration itself. A value of another type is no bound here: `limitCall`
 * refuses it, if it is of a call.
 * @param file the keys of config.toml, then of the profile of the thread
 */
export const boundsOf = (
  deps: Pick<ConfigDeps, 'overrides' | 'cwd'>,
  { file, profile = {} }: { file: JsonObject; profile?: JsonObject | undefined },
  { config = {}, ...settings }: ThreadSettings,
): Bounds => {
  const keys = { ...file, ...toTable(flagLayer(deps)), ...profile, ...toTable(callLayer(config, '')) };
  const named = BOUNDS.map((name) => [name, settings[name] ?? toNumber(keys[THREAD_SETTINGS[name].key.name])] as const);
  return Object.fromEntries(named.filter(([, value]) => value !== undefined));
};

/** The bound that a value is; undefined if it is none. */
const toNumber = (value: unknown): number | undefined =>
  typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value)) ? Number(value) : undefined;
