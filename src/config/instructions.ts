/** Owns the reading of an instructions file. */
import { resolve } from 'node:path';
import { ConfigError } from './config';
import { readText } from './fileLayer';
import type { ConfigDeps } from './loadConfig';

/**
 * The trimmed text of an instructions file; a relative name counts from the thread's working folder.
 * Throws ConfigError where the file is missing, unreadable or empty.
 * Source: Codex 0.28.0, `experimental_instructions_file`.
 */
export const readInstructions = (
  readFile: ConfigDeps['readFile'],
  cwd: string,
  name: string,
  where: string,
): string => {
  const path = resolve(cwd, name);
  const text = readText(readFile, path)?.trim();
  const says = (problem: string) => new ConfigError(`${where}: ${problem}, expected a text file with instructions`);
  if (text === undefined) throw says(`failed to read experimental instructions file ${path}: no such file`);
  if (text === '') throw says(`experimental instructions file is empty: ${path}`);
  return text;
};
