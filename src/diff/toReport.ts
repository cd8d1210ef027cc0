/** Reports how two sessions compare: as text, as JSON or as JUnit. */
import { toVisibleLines } from '../log';
import type { LaneResult } from './compare';
import { describeLane, titleOf } from './describeLane';
import { toJunit } from './toJunit';
import { toMarbles } from './toMarbles';

/** The formats of a report. */
export const REPORTS = ['text', 'json', 'junit'] as const;
/** One of them. */
export type ReportFormat = (typeof REPORTS)[number];

/** The report on a comparison. @param name of the tape */
export const toReport = (format: ReportFormat, results: readonly LaneResult[], name: string): string => {
  if (format === 'json') return toJsonReport(results);
  return format === 'junit' ? toJunit(results, name) : toText(results);
};

const toText = (results: readonly LaneResult[]): string => {
  const differing = results.filter(({ difference }) => difference);
  const count = results.reduce((sum, { now }) => sum + now.length, 0);
  const clientLines = results.filter(({ lineNumber }) => lineNumber > 0).length;
  if (differing.length === 0) return `SAME: ${clientLines} lines of the client, ${count} of the server\n`;
  const lines = differing.flatMap((result) => [
    `DIFFERS: ${titleOf(result)}`,
    ...describeLane(result).map((line) => `  ${line}`),
    '',
  ]);
  return `${lines.join('\n')}${differing.length} of ${results.length} lines of the client have other results\n`;
};

const toJsonReport = (results: readonly LaneResult[]): string => {
  const differences = results.flatMap(toJsonDifference);
  const report = { same: differences.length === 0, compared: results.length, differences };
  return `${toVisibleLines(JSON.stringify(report, null, 2))}\n`;
};

const toJsonDifference = (result: LaneResult): object[] => {
  const { difference, recorded, now, label, lineNumber } = result;
  if (difference === undefined) return [];
  const { at, values, reason } = difference;
  const side = (one: LaneResult['now'][number] | undefined) => one && { line: one.lineNumber, message: one.value };
  return [
    {
      request: label,
      line: lineNumber,
      at,
      recorded: side(recorded[at]),
      now: side(now[at]),
      values,
      reason,
      marbles: toMarbles(result),
    },
  ];
};
