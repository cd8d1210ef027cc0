/** The report of the specs that were left out: the last thing that a run prints. */
import type { Missing, Need } from './findMissing';

/** What the report reads of the results of Jest. */
export type Results = {
  numTotalTests: number;
  numFailedTests: number;
  testResults: readonly {
    testFilePath: string;
    testResults: readonly { status: string; ancestorTitles: readonly string[]; title: string }[];
  }[];
};

/** What differs from run to run. */
export type Run = {
  missing: readonly Missing[];
  /** The folder that paths are shown from. */
  root: string;
  /** True if a spec that is left out is a failure. */
  isCi: boolean;
};

/** What a run prints at its end. */
export type Report = { lines: string[]; isFailure: boolean };

const MARK = / \(needs ([^()]+)\)$/;

/** What the name of a spec that is left out ends with. */
export const markOf = (absent: readonly Need[]): string => ` (needs ${absent.join(', ')})`;

/** Left out here, and run elsewhere: a build server also runs the specs as root. */
const ELSEWHERE: readonly string[] = ['root'] satisfies Need[];

type LeftOut = { name: string; needs: string };

/** Up to the first name that has the mark. */
const leftOutOf = (path: string, names: readonly string[]): LeftOut[] => {
  const marked = names.findIndex((name) => MARK.test(name));
  if (marked < 0) return [];
  const name = [path, ...names.slice(0, marked + 1)].join(' › ').replace(MARK, '');
  return [{ name, needs: MARK.exec(names[marked] as string)?.[1] as string }];
};

const allLeftOut = ({ testResults }: Results, root: string): LeftOut[] =>
  testResults.flatMap((file) =>
    file.testResults
      .filter(({ status }) => status === 'pending')
      .flatMap(({ ancestorTitles, title }) =>
        leftOutOf(file.testFilePath.replace(`${root}/`, ''), [...ancestorTitles, title]),
      ),
  );

const counted = (names: readonly string[]): string[] =>
  [...new Set(names)].map((name) => `  ${name}: ${names.filter((one) => one === name).length}`);

const linesOf = ({ need, reason, remedy }: Missing, leftOut: readonly LeftOut[]): string[] => {
  const names = leftOut.filter(({ needs }) => needs.split(', ')[0] === need).map(({ name }) => name);
  return names.length === 0 ? [] : [`${names.length} need ${need}: ${reason}; ${remedy}`, ...counted(names)];
};

/** For a spec that needs something and does not declare it: it fails if that is missing. */
const reminder = ({ numFailedTests }: Results, missing: readonly Missing[]): string[] =>
  numFailedTests === 0 || missing.length === 0
    ? []
    : [
        `A spec that fails and needs ${missing.map(({ need }) => need).join(', ')} does not declare it: see CONTRIBUTING.md`,
      ];

const total = (leftOut: number, all: number, isFailure: boolean): string[] =>
  leftOut === 0
    ? []
    : [
        `${leftOut} of ${all} specs were LEFT OUT, as named above.${isFailure ? ' With CI set that is a failure.' : ''}`,
      ];

/** Names and counts what was left out, by what is missing. */
export const reportOf = (results: Results, { missing, root, isCi }: Run): Report => {
  const leftOut = allLeftOut(results, root);
  const isFailure = isCi && leftOut.some(({ needs }) => needs.split(', ').some((need) => !ELSEWHERE.includes(need)));
  return {
    lines: [
      ...reminder(results, missing),
      ...missing.flatMap((one) => linesOf(one, leftOut)),
      ...total(leftOut.length, results.numTotalTests, isFailure),
    ],
    isFailure,
  };
};
