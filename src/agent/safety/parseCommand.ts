/** Summarizes a command for a person, when it begins. It decides nothing. */
import { map, type Observable, of } from 'rxjs';
import type { ParsedCommand } from '../../protocol/codex/eventMsg';
import { joinWords, splitWords } from '../../streams/text/words';
import { isConnector, isLineRange } from './operands';
import { type ReadScript, type Sequence, scriptOf } from './script';
import { summarize } from './summarize';
import { summarizeArgv } from './summarizeArgv';

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

/** Summarizes a script that was read as plain commands, for display only. */
const SHAPERS = new Set(['wc', 'tr', 'cut', 'sort', 'uniq', 'xargs', 'tee', 'column', 'awk', 'yes', 'printf']);

/** True for a command that only reshapes the output of another one. */
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
