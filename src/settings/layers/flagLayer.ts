/** The settings in the server's flags `-c` and `-m`. */
import { parse } from 'smol-toml';
import { maskAddresses } from '../../io/log/maskAddress';
import { isSecretSetting } from '../../io/log/secretNames';
import { splitOverride } from '../../streams/text/words';
import type { ConfigDeps } from '../deps';
import { ConfigError } from '../faults/configError';
import { cut } from '../faults/errorText';
import { getIn, type Layer, type Path, type Setting, type Toml, tableOf } from '../layer';
import { fromHome } from './fileLayer';
import { splitKey, toToml } from './toToml';

const quotes = /^["']+|(?<!["'])["']+$/g;

/** Parses the value of an override as TOML. Text that is no TOML is a string; quotes at its ends are dropped. Source: Codex 0.28.0, runs with `-c`. */
const parseValue = (text: string): unknown => {
  try {
    return parse(`_x_ = ${text}`, { integersAsBigInt: true })._x_;
  } catch {
    return text.replace(quotes, '');
  }
};

/** Tables whose values are texts: `…set.CI=1` is the text "1". `*` is any key. */
const TEXTS: readonly Path[] = [
  ['shell_environment_policy', 'set', '*'],
  ['mcp_servers', '*', 'env', '*'],
  ['mcp_servers', '*', 'http_headers', '*'],
  ['model_providers', '*', 'http_headers', '*'],
  ['model_providers', '*', 'query_params', '*'],
];

/** Whether a path is in one of these tables. */
export const isText = (path: Path): boolean =>
  TEXTS.some((text) => text.length === path.length && text.every((key, at) => key === '*' || key === path[at]));

const valueAt = (path: Path, text: string): unknown => {
  const value = parseValue(text);
  return isText(path) && typeof value !== 'string' && typeof value !== 'object' ? text : value;
};

const nameOf = (key: string, path: Path, value: string) =>
  `-c ${key}=${[...path, value].some(isSecretSetting) ? '…' : cut(maskAddresses(value))}`;

type FlagDeps = Partial<Pick<ConfigDeps, 'overrides' | 'model' | 'env'>> & Pick<ConfigDeps, 'cwd'>;

/** Splits the key at every dot; quotes have no meaning in it. Source: Codex 0.28.0, runs with `-c`. */
const toSetting =
  ({ cwd: folder, env }: FlagDeps) =>
  (override: string): Setting => {
    const split = splitOverride(override);
    if (typeof split === 'string') throw new ConfigError(split);
    const { key, value } = split;
    const path = splitKey(key, `-c ${key}`);
    const where = nameOf(key, path, value);
    const own = toToml(`-c ${key}`, (float) => float)(valueAt(path, value));
    const table = fromHome(
      path.reduceRight<Toml>((inner, name) => tableOf({ [name]: inner }), own),
      env,
    );
    return { path, value: getIn(table, path) ?? own, where: () => where, folder };
  };

const ofModel = (model: Toml, folder: string): Setting => ({
  path: ['model'],
  value: model,
  where: () => `-m ${model}`,
  folder,
});

/** The layer of the server's flags: `-c` in order, then `-m`. Throws ConfigError. */
export const flagLayer = ({ overrides = [], model, cwd, env }: FlagDeps): Layer => [
  ...overrides.map(toSetting({ cwd, env })),
  ...(model === undefined ? [] : [ofModel(model, cwd)]),
];
