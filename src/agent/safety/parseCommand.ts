/** Summarizes a command for a person, when it begins. It decides nothing. */
import { map, type Observable, of } from 'rxjs';
import type { ParsedCommand } from '../../protocol/codex/eventMsg';
import { withoutEndSlash } from '../../streams/text/trim';
import { joinWords, splitWords } from '../../streams/text/words';
import { isConnector, isFlag, isLineRange, skipFlagValues, untilConnector } from './operands';
import { type ReadScript, type Sequence, scriptOf } from './script';

const isSame = (one: ParsedCommand, other: ParsedCommand | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const dropRepeats = (all: readonly ParsedCommand[]): ParsedCommand[] =>
  all.filter((one, at) => !isSame(one, all[at - 1]));

/**
 * Summarizes what a command reads, lists or searches for, one entry per command in it.
 * @param deps.read the grammar; used for `bash -lc SCRIPT` only
 * Emits once and completes: at once for every other argv.
 *   bash -lc 'cat src/main.ts | wc -l'  (r|)  r: read, cmd `cat src/main.ts`, name main.ts
 * Source: Codex 0.28.0 `parsed_cmd`, 599 recorded cases.
 */
export const parseCommand =
  ({ read }: { read: ReadScript }) =>
  (argv: readonly string[]): Observable<ParsedCommand[]> => {
    const script = scriptOf(argv);
    if (script === undefined) return of(dropRepeats(summarizeArgv(argv)));
    return read(script).pipe(
      map((commands): ParsedCommand[] =>
        commands ? dropRepeats(summarizeScript(script, commands)) : [{ type: 'unknown', cmd: script }],
      ),
    );
  };

const SHAPERS = new Set(['wc', 'tr', 'cut', 'sort', 'uniq', 'xargs', 'tee', 'column', 'awk', 'yes', 'printf']);

/** True for a command that only reshapes the output of another command. */
const isShaper = (words: readonly string[]): boolean => {
  const [name = '', flag, range = ''] = words;
  if (name === 'head' || name === 'tail') return words.length < 3;
  if (name === 'sed') return words.length < 4 || flag !== '-n' || !isLineRange(range);
  return SHAPERS.has(name);
};

/** A read that passes through `sed -n` is shown with the whole pipe: the selected lines are what matters. */
const isSedPipe = (words: readonly string[]): boolean =>
  words.includes('|') && words.some((word, at) => word === 'sed' && words[at + 1] === '-n');

const asWhole = (summary: ParsedCommand, script: string, joins: boolean): ParsedCommand => {
  if (summary.type === 'unknown') return summary;
  const words = splitWords(script) ?? [script];
  if (!joins && !words.some(isConnector)) return { ...summary, cmd: joinWords(words) };
  return summary.type === 'read' && isSedPipe(words) ? { ...summary, cmd: script } : summary;
};

const isTrue = ({ type, cmd }: ParsedCommand): boolean => type === 'unknown' && cmd === 'true';

/** What the commands of a script do, without shapers and (if there are others) `true`. Source: Codex 0.28.0, 599 recorded cases. */
export const summarizeScript = (script: string, commands: Sequence): ParsedCommand[] => {
  const all = commands.map((words) => words.map(({ text }) => text));
  const summaries = all.filter((words) => !isShaper(words)).map(summarize);
  if (summaries.length === 0) return [{ type: 'unknown', cmd: script }];
  const kept = summaries.length > 1 ? summaries.filter((one) => !isTrue(one)) : summaries;
  return kept.length === 1 ? kept.map((one) => asWhole(one, script, all.length > 1)) : kept;
};

type Part = { words: readonly string[]; summary: ParsedCommand };

/** More commands than a person would read are summarized as one: leaving some out costs time that grows with the square of their number. */
const MAX_PARTS = 200;
/** As many characters as MAX_PARTS, in long commands: splitting a long script into words would hold up other calls. */
const MAX_CHARS = 65_536;

const ANSWERS = new Set(['yes', 'y', 'no', 'n']);

/** The words that matter: without a leading `yes |`, or the words of a `bash -c` script. */
const normalize = (argv: readonly string[]): readonly string[] => {
  const [first = '', second, script = ''] = argv;
  if (ANSWERS.has(first) && second === '|') return argv.slice(2);
  return first === 'bash' && second === '-c' && argv.length === 3 ? (splitWords(script) ?? argv) : argv;
};

const splitAtConnectors = (words: readonly string[]): string[][] =>
  words
    .reduce<string[][]>(
      (parts, word) => {
        if (isConnector(word)) parts.push([]);
        else parts.at(-1)?.push(word);
        return parts;
      },
      [[]],
    )
    .filter((part) => part.length > 0);

const isCalled =
  (name: string, fits: (args: readonly string[]) => boolean = () => true) =>
  ({ words: [first, ...args], summary }: Part): boolean =>
    summary.type === 'unknown' && first === name && fits(args);

const isEcho = isCalled('echo');
const isCd = isCalled('cd');
const isIdle = isCalled('true', (args) => args.length === 0);
const isBareNl = isCalled('nl', (args) => args.every(isFlag));

/** The index of the least informative command: a leading echo, else a cd with something after it, else `true`, else `nl` without a file; -1 for none. */
const leastOf = (parts: readonly Part[]): number => {
  if (parts.slice(0, 1).some(isEcho)) return 0;
  const cd = parts.findIndex(isCd);
  if (cd >= 0 && cd + 1 < parts.length) return cd;
  const idle = parts.findIndex(isIdle);
  return idle >= 0 ? idle : parts.findIndex(isBareNl);
};

const leaveOutLeast = (parts: readonly Part[]): readonly Part[] => {
  const least = parts.length > 1 ? leastOf(parts) : -1;
  return least < 0 ? parts : parts.filter((_, at) => at !== least);
};

/** What the commands of an argv do; connectors in it count although no shell would see them. Source: Codex 0.28.0, 599 recorded cases. */
export const summarizeArgv = (argv: readonly string[]): ParsedCommand[] => {
  if (argv.reduce((chars, { length }) => chars + length, 0) > MAX_CHARS)
    return [{ type: 'unknown', cmd: joinWords(argv) }];
  const words = normalize(argv);
  const commands = words.some(isConnector) ? splitAtConnectors(words) : [words];
  if (commands.length > MAX_PARTS) return [{ type: 'unknown', cmd: joinWords(argv) }];
  const parts = commands.map((words): Part => ({ words, summary: summarize(words) }));
  return parts.reduce(leaveOutLeast, parts as readonly Part[]).map(({ summary }) => summary);
};

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

/** What a plain command reads, lists or searches for, else `unknown`. Source: Codex 0.28.0, 599 cases; values of flags count as operands. */
export const summarize = (words: readonly string[]): ParsedCommand => {
  const [name = '', ...args] = words;
  const cmd = joinWords(words);
  return SUMMARIES.get(name)?.(args, cmd) ?? unknown(cmd);
};

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
