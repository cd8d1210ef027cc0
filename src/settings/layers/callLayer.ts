/** The settings in the `config` argument of a tool call. */
import type { JsonObject } from '../../protocol/jsonrpc/json';
import type { Layer } from '../layer';
import { ofJsonNumber, splitKey, toToml } from './toToml';

/**
 * The layer of a tool call. Keys are dotted paths, values keep their JSON type, strings are never parsed as TOML.
 * Entries apply in the order given. Throws ConfigError for a key or value that is nested too deeply.
 * Source: Codex 0.28.0, argument `config`; there overlapping keys apply in random order, a defect.
 */
export const callLayer = (config: JsonObject, folder: string): Layer =>
  Object.entries(config)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => {
      const where = `argument config, key ${key}`;
      return { path: splitKey(key, where), value: toToml(where, ofJsonNumber)(value), where: () => where, folder };
    });
