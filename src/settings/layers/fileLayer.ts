/** The settings in `config.toml`; syntax errors are reported with their lines. */

import { join } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import type { JsonObject } from '../../protocol/jsonrpc/json';
import { fileReasonOf, reasonOf, systemRemedy } from '../../streams/text/reasons';
import type { ConfigDeps } from '../deps';
import { ConfigError } from '../faults/configError';
import { lineOf } from '../faults/lineOf';
import { tomlFaults } from '../faults/tomlFaults';
import type { Layer, Path } from '../layer';
import { adaptValues } from './adaptValues';
import { toToml } from './toToml';

/** The path of `config.toml` in a Codex home. */
export const configFile = (codexHome: string): string => join(codexHome, 'config.toml');

/** Reads a file; undefined where there is none. Throws ConfigError, which names the file, where it cannot be read. */
export const readText = (readFile: ConfigDeps['readFile'], path: string): string | undefined => {
  try {
    return readFile(path);
  } catch (error) {
    const remedy = systemRemedy((error as NodeJS.ErrnoException).code);
    throw new ConfigError([path, 'cannot be read', fileReasonOf(error), ...(remedy ? [remedy] : [])].join(': '));
  }
};

const syntaxError = (file: string, text: string, error: unknown): ConfigError =>
  error instanceof TomlError
    ? new ConfigError(
        tomlFaults(text).map(({ line, column, fault }) => `${file}:${line}:${column}: not TOML: ${fault}`),
      )
    : new ConfigError(`${file}: not TOML: ${reasonOf(error)}`);

const parseFile = (file: string, text: string): unknown => {
  try {
    return parse(text, { integersAsBigInt: true });
  } catch (error) {
    throw syntaxError(file, text, error);
  }
};

/** A TOML file as plain data; undefined where there is none. Throws ConfigError. */
export const fileTable = ({ readFile }: Pick<ConfigDeps, 'readFile'>, file: string): JsonObject | undefined => {
  const text = readText(readFile, file);
  if (text === undefined) return undefined;
  try {
    return parse(text) as JsonObject;
  } catch (error) {
    throw syntaxError(file, text, error);
  }
};

const whereIn = (file: string, text: string) => (path: Path) => {
  const line = lineOf(text, path);
  return line === undefined ? file : `${file}:${line}`;
};

/** The layer of a TOML file in the Codex home; empty where there is no such file. Throws ConfigError. */
export const tomlLayer = ({ codexHome, readFile }: Pick<ConfigDeps, 'codexHome' | 'readFile'>, file: string): Layer => {
  const text = readText(readFile, file);
  if (text === undefined) return [];
  const where = whereIn(file, text);
  const { value, warnings } = adaptValues(toToml(file, (float) => float)(parseFile(file, text)), where);
  return [{ path: [], value, where, folder: codexHome, warnings }];
};

/** The layer of `config.toml`; empty where there is no such file. Throws ConfigError. */
export const fileLayer = (deps: Pick<ConfigDeps, 'codexHome' | 'readFile'>): Layer =>
  tomlLayer(deps, configFile(deps.codexHome));
