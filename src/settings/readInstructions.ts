/** The instructions file that `experimental_instructions_file` names. */
import { resolve } from 'node:path';
import type { ConfigDeps } from './deps';
import { ConfigError } from './faults/configError';
import { readText } from './layers/fileLayer';

/**
 * Reads an instructions file and trims it.
 * @param deps.cwd folder of the thread, at which a relative name starts
 * @param where the place of the setting, for the error text
 * Throws ConfigError if the file is missing, unreadable or empty.
 * Source: Codex 0.28.0, `experimental_instructions_file`.
 */
export const readInstructions = (
  { readFile, cwd }: Pick<ConfigDeps, 'readFile' | 'cwd'>,
  name: string,
  where: string,
): string => {
  const path = resolve(cwd, name);
  const text = readText(readFile, path)?.trim();
  const failure = (problem: string) => new ConfigError(`${where}: ${problem}, expected a text file with instructions`);
  if (text === undefined) throw failure(`failed to read experimental instructions file ${path}: no such file`);
  if (text === '') throw failure(`experimental instructions file is empty: ${path}`);
  return text;
};
