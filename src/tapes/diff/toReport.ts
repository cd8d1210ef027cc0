/** Reports how two sessions compare: as text, as JSON or as JUnit. */
import type junitBuilder from 'junit-report-builder';
import { flowTo } from '../../io/terminal/width';
import { lazy } from '../../streams/lazy';
import { counted } from '../../streams/text/reasons';
import { toVisible, toVisibleLines } from '../../streams/text/visible';
import { toCanonical } from '../matching/matchKey';
import { groupBy } from '../session/groupBy';
import type { LaneResult } from './compare';
import { describeLane, titleOf, toMarbles } from './describeLane';

/** The formats of a report. */
export const REPORTS = ['text', 'json', 'junit'] as const;
type ReportFormat = (typeof REPORTS)[number];

/** A session that was compared. */
export type ComparedSession = {
  /** Of the tape, and of the session if the tape has several. */
  name: string;
  results: readonly LaneResult[];
  /** Why it could not be compared. */
  problem?: string;
};

type ReportLook = {
  format: ReportFormat;
  /** The width of the drawings in a text. */
  columns: number;
};

/**
 * The report on a comparison.
 * @param name of the tape
 */
export const toReport = (look: ReportLook, results: readonly LaneResult[], name: string): string =>
  toReports(look, [{ name, results }]);

/** The report on several comparisons, as text only about the comparisons that differ; a report on one comparison is shorter. */
export const toReports = ({ format, columns }: ReportLook, sessions: readonly ComparedSession[]): string => {
  if (format === 'json') return `${toVisibleLines(JSON.stringify(toJson(sessions), null, 2))}\n`;
  return format === 'junit' ? toJunit(sessions) : toText(sessions, columns);
};

/** Whether the session was compared and nothing differs. */
export const isSame = ({ results, problem }: ComparedSession): boolean =>
  problem === undefined && results.every(({ difference }) => difference === undefined);

const toText = (sessions: readonly ComparedSession[], columns: number): string => {
  const [first] = sessions;
  if (first !== undefined && sessions.length === 1 && first.problem === undefined)
    return toSessionText(first.results, columns);
  const same = sessions.filter(isSame).length;
  const unusable = sessions.filter(({ problem }) => problem !== undefined).length;
  const counts = [`${same} the same`, `${sessions.length - same - unusable} differ`, `${unusable} cannot be used`];
  const shown = sessions.filter((session) => !isSame(session));
  return `${shown.map((session) => toBlock(session, columns)).join('')}${sessions.length} sessions: ${counts.join(', ')}\n`;
};

const toBlock = (session: ComparedSession, columns: number): string => {
  const { name, results, problem } = session;
  if (problem !== undefined) return `${toVisible(`CANNOT BE USED: ${name}: ${problem}`)}\n`;
  const lines = toSessionText(results, columns - INDENT.length)
    .trimEnd()
    .split('\n');
  return [`DIFFERS: ${toVisible(name)}`, ...lines.map((line) => `${INDENT}${line}`.trimEnd()), ''].join('\n');
};

const INDENT = '  ';

const toCounts = (results: readonly LaneResult[]): string => {
  const count = results.reduce((sum, { now }) => sum + now.length, 0);
  const clientLines = results.filter(isOfClient).length;
  return `${counted(clientLines, 'line')} of the client, ${count} of the server`;
};

const toSessionText = (results: readonly LaneResult[], columns: number): string => {
  const differing = results.filter(({ difference }) => difference);
  if (differing.length === 0) return `SAME: ${toCounts(results)}\n`;
  const lines = groupAlike(differing).flatMap(([first, ...others]) => [
    `DIFFERS: ${titleOf(first)}`,
    ...describeLane(first, columns).map((line) => INDENT + line),
    ...describeAlike(others, columns - INDENT.length).map((line) => INDENT + line),
    '',
  ]);
  return `${lines.join('\n')}${toDifferingCounts(results, differing)}\n`;
};

const isOfClient = ({ lineNumber }: LaneResult): boolean => lineNumber > 0;

/** Counts lines of the client; names the rest. */
const toDifferingCounts = (results: readonly LaneResult[], differing: readonly LaneResult[]): string => {
  const own = differing.filter(isOfClient).length;
  const others = differing.filter((result) => !isOfClient(result)).map(({ label }) => toVisible(label));
  const ofClient = `${own} of ${counted(results.filter(isOfClient).length, 'line')} of the client ${own === 1 ? 'has' : 'have'} other results`;
  return others.length === 0
    ? ofClient
    : `${ofClient}; ${others.join(' and ')} ${others.length === 1 ? 'differs' : 'differ'}`;
};

const toJson = (sessions: readonly ComparedSession[]): object => {
  const reports = sessions.map((session) => {
    const { results, problem } = session;
    const differences = results.flatMap(toJsonDifference);
    return { same: isSame(session), compared: results.length, differences, ...(problem !== undefined && { problem }) };
  });
  if (reports.length === 1) return reports[0] as object;
  const named = reports.map((report, i) => ({ name: sessions[i]?.name, ...report }));
  return { same: sessions.every(isSame), compared: sessions.length, sessions: named };
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

/** The builder of JUnit reports, loaded by the first of them as it is large. */
export const junit = /* @__PURE__ */ lazy(() => require('junit-report-builder') as typeof junitBuilder);

const toJunit = (sessions: readonly ComparedSession[]): string => {
  const builder = junit().newBuilder();
  for (const session of sessions) addSuite(builder, session);
  return `${builder.build()}\n`;
};

const addSuite = (
  builder: ReturnType<typeof junitBuilder.newBuilder>,
  { name, results, problem }: ComparedSession,
): void => {
  const suite = builder.testSuite().name(toVisible(name));
  const caseOf = (title: string) => suite.testCase().className(toVisible(name)).name(title);
  if (problem !== undefined) caseOf('the tape').error(toVisible(problem));
  for (const result of results) {
    const test = caseOf(titleOf(result));
    const lines = describeLane(result);
    if (lines.length > 0) test.failure('differs from the tape').stacktrace(lines.join('\n'));
  }
};

/** Groups results whose differences have the same paths, apart from indices of items, and the same values before and now. */
export const groupAlike = (results: readonly LaneResult[]): (readonly [LaneResult, ...LaneResult[]])[] =>
  [...groupBy(results, keyOf).values()] as [LaneResult, ...LaneResult[]][];

const keyOf = ({ label, lineNumber, difference, recorded, now }: LaneResult): string => {
  if (difference === undefined || lineNumber === 0) return toCanonical([label, lineNumber]);
  const { at, reason, values } = difference;
  const places = values.map((value) => toCanonical({ ...value, path: value.path.replace(INDEX, '[*]') }));
  return toCanonical([reason, recorded[at]?.label, now[at]?.label, [...new Set(places)].toSorted()]);
};

const INDEX = /\[\d+\]/g;

/** Further lines are only counted. */
const MAX_LINES = 100;

/** The further results of a group by their labels, with their lines on the tape. */
export const describeAlike = (others: readonly LaneResult[], columns: number): string[] => {
  if (others.length === 0) return [];
  const shown = others.slice(0, MAX_LINES);
  const places = [...groupBy(shown, ({ label }) => label)].map(([label, results]) => toPlaces(label, results));
  const more = others.length - shown.length;
  const words = [...places, ...(more > 0 ? [[`and ${more} more`]] : [])].flatMap(withComma);
  return flowTo([`the same in ${counted(others.length, 'more result')}:`, ...words], columns, ' ').map(toVisible);
};

/** The words of a label and its lines, between which a line may be broken. */
const toPlaces = (label: string, results: readonly LaneResult[]): string[] => {
  const [first, ...rest] = results.map(({ lineNumber }, i) => `${lineNumber}${i === results.length - 1 ? ')' : ','}`);
  return [`${label} (${results.length === 1 ? 'line' : 'lines'} ${first}`, ...rest];
};

const withComma = (words: readonly string[], i: number, all: readonly unknown[]): string[] =>
  words.map((word, at) => (at === words.length - 1 && i < all.length - 1 ? `${word},` : word));
