/** Summarizes a command for a person, when it begins. It decides nothing. */
import { map, type Observable, of } from 'rxjs';
import type { ParsedCommand } from '../../protocol/codex/eventMsg';
import { joinWords } from '../../streams/text/joinWords';
import { splitWords } from '../../streams/text/splitWords';
import { isConnector, isFlag, isLineRange } from './operands';
import { type ReadScript, type Sequence, scriptOf } from './script';
import { summarize } from './summarize';

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
  const words = splitWords(script) ?? [script];
  if (summary.type === 'unknown') return summary;
  if (!joins && !words.some(isConnector)) return { ...summary, cmd: joinWords(words) };
  return summary.type === 'read' && isSedPipe(words) ? { ...summary, cmd: script } : summary;
};

const isTrue = ({ type, cmd }: ParsedCommand): boolean => type === 'unknown' && cmd === 'true';

/**
 * What the commands of a script do, without shapers and (if there are others) `true`.
 * Source: Codex 0.28.0, 599 recorded cases.
 */
export const summarizeScript = (script: string, commands: Sequence): ParsedCommand[] => {
  const all = commands.map((words) => words.map(({ text }) => text));
  const summaries = all.filter((words) => !isShaper(words)).map(summarize);
  if (summaries.length === 0) return [{ type: 'unknown', cmd: script }];
  const kept = summaries.length > 1 ? summaries.filter((one) => !isTrue(one)) : summaries;
  return kept.length === 1 ? kept.map((one) => asWhole(one, script, all.length > 1)) : kept;
};

/** Summarizes an argv that is not a `bash -lc` script, for display only. */
type Part = { words: readonly string[]; summary: ParsedCommand };

/** More commands than a person would read are summarized as one: leaving some out costs time that grows with the square of their number. */
const MAX_PARTS = 200;

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

/**
 * What the commands of an argv do; connectors in it count although no shell would see them.
 * Source: Codex 0.28.0, 599 recorded cases.
 */
export const summarizeArgv = (argv: readonly string[]): ParsedCommand[] => {
  const words = normalize(argv);
  const commands = words.some(isConnector) ? splitAtConnectors(words) : [words];
  if (commands.length > MAX_PARTS) return [{ type: 'unknown', cmd: joinWords(argv) }];
  const parts = commands.map((words): Part => ({ words, summary: summarize(words) }));
  return parts.reduce(leaveOutLeast, parts as readonly Part[]).map(({ summary }) => summary);
};
