/** The line of a setting in a TOML file, for error texts: the parser keeps no positions. */
import { parse } from 'smol-toml';
import { getIn, type Path, type Toml } from '../layer';

const parseLines = (lines: readonly string[]): Toml | undefined => {
  try {
    return parse(lines.map((line) => `${line}\n`).join(''), { integersAsBigInt: true }) as Toml;
  } catch {
    return undefined; // an incomplete statement: the next line may complete it
  }
};

/** Parses up to the end of the statement that starts at line `at`. */
const parseThrough = (lines: readonly string[], at: number): Toml | undefined => {
  for (let end = at + 1; end <= lines.length; end += 1) {
    const value = parseLines(lines.slice(0, end));
    if (value !== undefined) return value;
  }
  return undefined;
};

const sets = (lines: readonly string[], at: number, path: Path): boolean => {
  const before = parseLines(lines.slice(0, at));
  if (before === undefined || getIn(before, path) !== undefined) return false;
  return getIn(parseThrough(lines, at), path) !== undefined;
};

/**
 * The line, counted from 1, of the statement that sets a path, or of the nearest table above it; undefined for neither.
 * Only lines that contain the key are tried: the text before the right one lacks the path, the text through it has it.
 * @param text valid TOML
 */
export const lineOf = (text: string, path: Path): number | undefined => {
  const key = path.at(-1);
  if (key === undefined) return undefined;
  const lines = text.split('\n');
  const at = lines.findIndex((line, index) => line.includes(key) && sets(lines, index, path));
  return at < 0 ? lineOf(text, path.slice(0, -1)) : at + 1;
};
