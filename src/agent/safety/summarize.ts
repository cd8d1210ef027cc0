/** Summarizes one plain command, for display only. */
import type { ParsedCommand } from '../../protocol/codex/eventMsg';
import { withoutEndSlash } from '../../streams/text/trim';
import { joinWords } from '../../streams/text/words';
import { isFlag, isLineRange, skipFlagValues, untilConnector } from './operands';

type Summary = (args: readonly string[], cmd: string) => ParsedCommand;

const unknown = (cmd: string): ParsedCommand => ({ type: 'unknown', cmd });
const read = (cmd: string, path: string | undefined): ParsedCommand =>
  path === undefined ? unknown(cmd) : { type: 'read', cmd, name: shortPath(path) };
const search = (cmd: string, query: string | undefined, path: string | undefined): ParsedCommand => ({
  type: 'search',
  cmd,
  query: query ?? null,
  path: path === undefined ? null : shortPath(path),
});

const operandsOf = (args: readonly string[]): string[] => args.filter((arg) => !isFlag(arg));

const LS_VALUES = ['-I', '-w', '--block-size', '--format', '--time-style', '--color', '--quoting-style'];
const ls: Summary = (args, cmd) => {
  const [path] = operandsOf(skipFlagValues(args, LS_VALUES));
  return { type: 'list_files', cmd, path: path === undefined ? null : shortPath(path) };
};

const grep: Summary = (args, cmd) => {
  const [query, path] = operandsOf(untilConnector(args));
  return search(cmd, query, path);
};
const rg: Summary = (args, cmd) => {
  const here = untilConnector(args);
  return here.includes('--files') ? search(cmd, undefined, operandsOf(here)[0]) : grep(args, cmd);
};

const FD_VALUES = ['-t', '--type', '-e', '--extension', '-E', '--exclude', '--search-path'];
const isPathish = (word: string): boolean => word === '.' || word === '..' || /[/\\]/.test(word);
const fd: Summary = (args, cmd) => {
  const [query, path] = operandsOf(skipFlagValues(untilConnector(args), FD_VALUES));
  return path === undefined && query !== undefined && isPathish(query)
    ? search(cmd, undefined, query)
    : search(cmd, query, path);
};

const FIND_NAMES = ['-name', '-iname', '-path', '-regex'];
const find: Summary = (args, cmd) => {
  const here = untilConnector(args);
  const path = here.find((arg) => !isFlag(arg) && !['!', '(', ')'].includes(arg));
  const at = here.findIndex((arg, index) => FIND_NAMES.includes(arg) && index + 1 < here.length);
  return search(cmd, at < 0 ? undefined : here[at + 1], path);
};

const cat: Summary = (args, cmd) => {
  const files = args[0] === '--' ? args.slice(1) : args;
  return files.length === 1 ? read(cmd, files[0]) : unknown(cmd);
};

/** `-n N FILE` and `-nN FILE`, as the first arguments. */
const firstLines =
  (count: RegExp): Summary =>
  ([flag = '', ...rest], cmd) => {
    if (flag === '-n')
      return rest[0] !== undefined && count.test(rest[0]) ? read(cmd, operandsOf(rest.slice(1))[0]) : unknown(cmd);
    return flag.startsWith('-n') && count.test(flag.slice(2)) ? read(cmd, operandsOf(rest)[0]) : unknown(cmd);
  };

const nl: Summary = (args, cmd) => read(cmd, operandsOf(skipFlagValues(args, ['-s', '-w', '-v', '-i', '-b']))[0]);

const sed: Summary = ([flag, range = '', file], cmd) =>
  flag === '-n' && isLineRange(range) ? read(cmd, file) : unknown(cmd);

const SUMMARIES = new Map<string, Summary>([
  ['cat', cat],
  ['fd', fd],
  ['find', find],
  ['grep', grep],
  ['head', firstLines(/^[0-9]*$/)],
  ['ls', ls],
  ['nl', nl],
  ['rg', rg],
  ['sed', sed],
  ['tail', firstLines(/^\+?[0-9]+$/)],
]);

/**
 * What a plain command reads, lists or searches for; `unknown` for every other one.
 * Source: Codex 0.28.0, 599 recorded cases. It takes values of flags for operands (`rg -A 3 x` searches for `3`), and so do we.
 */
export const summarize = (words: readonly string[]): ParsedCommand => {
  const [name = '', ...args] = words;
  const cmd = joinWords(words);
  return SUMMARIES.get(name)?.(args, cmd) ?? unknown(cmd);
};

/** The name of a path as it is shown to a person. */
const DULL = new Set(['', 'build', 'dist', 'node_modules', 'src']);

/**
 * The last component that is informative; the whole path if none is.
 *   packages/app/src/ -> app      node_modules -> node_modules      / -> (empty)
 * Source: Codex 0.28.0, recorded cases; backslashes separate too.
 */
export const shortPath = (path: string): string => {
  const trimmed = withoutEndSlash(path.replaceAll('\\', '/'));
  return trimmed.split('/').findLast((part) => !DULL.has(part)) ?? trimmed;
};
