/** Owns telling how two runs compare: to a person, to a program, to a CI server. */

import { toDifferenceText } from '../session';
import { toMarbles } from './align';
import type { LaneResult } from './compare';

/** The forms of a report. */
export const REPORTS = ['text', 'json', 'junit'] as const;
/** One of them. */
export type ReportFormat = (typeof REPORTS)[number];

const MAX_VALUES = 10;

/** What differs in one lane, in lines. */
const toLines = (result: LaneResult): string[] => {
  const { difference, recorded, now } = result;
  if (difference === undefined) return [];
  const where = (one: { lineNumber: number; label: string } | undefined) =>
    one ? `${one.label} (line ${one.lineNumber})` : 'nothing';
  const { at, values, reason } = difference;
  if (reason !== undefined) return [reason];
  const more = values.length > MAX_VALUES ? [`… and ${values.length - MAX_VALUES} more`] : [];
  return [
    ...toMarbles(result),
    `recorded: ${where(recorded[at])}; now: ${where(now[at])}`,
    ...values.slice(0, MAX_VALUES).map(toDifferenceText),
    ...more,
  ];
};

const titleOf = ({ label, lineNumber }: LaneResult): string =>
  lineNumber === 0 ? label : `${label} (line ${lineNumber})`;

const toText = (results: readonly LaneResult[]): string => {
  const differing = results.filter(({ difference }) => difference);
  const count = results.reduce((sum, { now }) => sum + now.length, 0);
  const asked = results.filter(({ lineNumber }) => lineNumber > 0).length;
  if (differing.length === 0) return `SAME: ${asked} lines of the client, ${count} of the server\n`;
  const told = differing.flatMap((result) => [
    `DIFFERS: ${titleOf(result)}`,
    ...toLines(result).map((line) => `  ${line}`),
    '',
  ]);
  return `${told.join('\n')}${differing.length} of ${results.length} lines of the client brought something else about\n`;
};

const toJsonReport = (results: readonly LaneResult[]): string => {
  const differences = results.flatMap((result) => {
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
  });
  return `${JSON.stringify({ same: differences.length === 0, compared: results.length, differences }, null, 2)}\n`;
};

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** XML 1.0 has no word for most control characters. */
const escaped = (text: string): string =>
  text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '\ufffd')
    .replace(/[&<>"]/g, (sign) => ENTITIES[sign] as string);

const toJunit = (results: readonly LaneResult[], name: string): string => {
  const cases = results.map((result) => {
    const title = escaped(titleOf(result));
    const lines = toLines(result);
    if (lines.length === 0) return `    <testcase classname="${escaped(name)}" name="${title}"/>`;
    const failure = `<failure message="differs from the tape">${escaped(lines.join('\n'))}</failure>`;
    return `    <testcase classname="${escaped(name)}" name="${title}">${failure}</testcase>`;
  });
  const failures = results.filter(({ difference }) => difference).length;
  const head = `  <testsuite name="${escaped(name)}" tests="${results.length}" failures="${failures}">`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    head,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
};

/** The report on a comparison; `name` is that of the tape. */
export const toReport = (format: ReportFormat, results: readonly LaneResult[], name: string): string => {
  if (format === 'json') return toJsonReport(results);
  return format === 'junit' ? toJunit(results, name) : toText(results);
};
