/** Summarizes an argv that is not a `bash -lc` script, for display only. */
import type { ParsedCommand } from '../../protocol/codex/eventMsg';
import { joinWords, splitWords } from '../../streams/text/words';
import { isConnector, isFlag } from './operands';
import { summarize } from './summarize';

type Part = { words: readonly string[]; summary: ParsedCommand };

/** More commands than a person would read are summarized as one: leaving some out costs time that grows with the square of their number. */
const MAX_PARTS = 200;

const ANSWERS = new Set(['yes', 'y', 'no', 'n']);

/** The words that matter: without a leading `yes |`, or those of a `bash -c` script. */
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
const isTrue = isCalled('true', (args) => args.length === 0);
const isBareNl = isCalled('nl', (args) => args.every(isFlag));

/** The index of the least informative command: a leading echo, else a cd with something after it, else `true`, else `nl` without a file; -1 for none. */
const leastOf = (parts: readonly Part[]): number => {
  if (parts.slice(0, 1).some(isEcho)) return 0;
  const cd = parts.findIndex(isCd);
  if (cd >= 0 && cd + 1 < parts.length) return cd;
  const idle = parts.findIndex(isTrue);
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
