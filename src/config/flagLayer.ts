/** Owns the meaning of the server's flags `-c` and `-m`. */
import { parse } from 'smol-toml';
import { cut, isSecret } from './describe';
import type { Layer, Path, Setting, Toml } from './layer';
import type { ConfigDeps } from './loadConfig';
import { splitOverride } from './splitOverride';
import { splitKey, toToml } from './toToml';

const quotes = /^["']+|["']+$/g;

/**
 * Reads the value of an override: TOML, or where it is none, a plain string without the quotes at its ends.
 * Source: Codex 0.28.0, runs with `-c`.
 */
const parseValue = (text: string): unknown => {
  try {
    return parse(`_x_ = ${text}`, { integersAsBigInt: true })._x_;
  } catch {
    return text.replace(quotes, '');
  }
};

const nameOf = (key: string, path: Path, value: string) => `-c ${key}=${isSecret([...path, value]) ? '…' : cut(value)}`;

// The key is split at every dot, quotes mean nothing in it: as the original does.
const toSetting =
  (folder: string) =>
  (override: string): Setting => {
    const { key, value } = splitOverride(override);
    const path = splitKey(key, `-c ${key}`);
    const where = nameOf(key, path, value);
    return { path, value: toToml(`-c ${key}`, (float) => float)(parseValue(value)), where: () => where, folder };
  };

const ofModel = (model: Toml, folder: string): Setting => ({
  path: ['model'],
  value: model,
  where: () => `-m ${model}`,
  folder,
});

/** The layer of the server's flags: `-c` in order, then `-m`. Throws ConfigError. */
export const flagLayer = ({ overrides, model, cwd }: Pick<ConfigDeps, 'overrides' | 'model' | 'cwd'>): Layer => [
  ...overrides.map(toSetting(cwd)),
  ...(model === undefined ? [] : [ofModel(model, cwd)]),
];
