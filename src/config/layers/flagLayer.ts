/** The settings in the server's flags `-c` and `-m`. */
import { parse } from 'smol-toml';
import { isSecretSetting, maskAddresses } from '../../log';
import { splitOverride } from '../../text';
import type { ConfigDeps } from '../deps';
import { ConfigError } from '../faults/configError';
import { cut } from '../faults/errorText';
import type { Layer, Path, Setting, Toml } from './layer';
import { splitKey, toToml } from './toToml';

const quotes = /^["']+|["']+$/g;

/**
 * Parses the value of an override as TOML. Text that is no TOML is a string; quotes at its ends are dropped.
 * Source: Codex 0.28.0, runs with `-c`.
 */
const parseValue = (text: string): unknown => {
  try {
    return parse(`_x_ = ${text}`, { integersAsBigInt: true })._x_;
  } catch {
    return text.replace(quotes, '');
  }
};

const nameOf = (key: string, path: Path, value: string) =>
  `-c ${key}=${[...path, value].some(isSecretSetting) ? '…' : cut(maskAddresses(value))}`;

/** Splits the key at every dot; quotes have no meaning in it. Source: Codex 0.28.0, runs with `-c`. */
const toSetting =
  (folder: string) =>
  (override: string): Setting => {
    const split = splitOverride(override);
    if (typeof split === 'string') throw new ConfigError(split);
    const { key, value } = split;
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
