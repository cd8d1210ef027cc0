/** Owns the meaning of a tool call's `config` object. */
import type { JsonObject } from '../protocol';
import type { Layer } from './layer';
import { ofJsonNumber, splitKey, toToml } from './toToml';

/**
 * The layer of a tool call: keys are dotted paths, values keep their JSON type, strings are never parsed.
 * Entries count in the order given. Throws ConfigError.
 * Source: Codex 0.28.0, argument `config`; there overlapping keys count in an order of chance, a defect.
 */
export const callLayer = (config: JsonObject, folder: string): Layer =>
  Object.entries(config)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => {
      const where = `argument config, key ${key}`;
      return { path: splitKey(key, where), value: toToml(where, ofJsonNumber)(value), where: () => where, folder };
    });
