/** Reports what checks found: as text, as JSON or as JUnit. */
import { counted } from '../../streams/text/reasons';
import { toVisible, toVisibleLines } from '../../streams/text/visible';
import { type Coverage, describeCoverage } from '../coverage/coverage';
import { junit } from '../diff/toReport';
import { type CheckedSession, type Finding, isFailing } from './finding';

/** Whether the session was checked and nothing was found. */
export const isPassed = ({ findings, problem }: CheckedSession): boolean =>
  !findings.some(isFailing) && problem === undefined;

/** What the sessions touch, and the least percentage. */
type Measured = Coverage & { minPercent: number | undefined };

/** Whether the sessions touch as much as they must. */
export const isEnough = (measured: Measured | undefined): boolean =>
  measured?.minPercent === undefined || measured.percent >= measured.minPercent;

/** The report on sessions. No control character of a tape reaches the terminal. */
export const toCheckReport = (
  format: 'text' | 'json' | 'junit',
  sessions: readonly CheckedSession[],
  coverage?: Measured,
): string => {
  if (format === 'junit') return toJunit(sessions, coverage);
  if (format === 'json') {
    const passed = sessions.every(isPassed) && isEnough(coverage);
    return `${toVisibleLines(JSON.stringify({ passed, sessions, coverage }, null, 2))}\n`;
  }
  const passed = sessions.filter(isPassed).length;
  const unusable = sessions.filter(({ problem }) => problem !== undefined).length;
  const counts = `${passed} passed, ${sessions.length - passed - unusable} failed, ${unusable} cannot be used`;
  const lines = [
    ...sessions.flatMap(toLines),
    `${counted(sessions.length, 'session')}: ${counts}`,
    ...(coverage === undefined ? [] : describeCoverage(coverage)),
    ...(isEnough(coverage) ? [] : [`  less than the ${coverage?.minPercent} % of --min-coverage`]),
  ];
  return `${lines.map(toVisible).join('\n')}\n`;
};

const inOneLine = (text: string): string => {
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  return lines.filter((line) => line !== '').join(' ');
};

const toLines = (session: CheckedSession): string[] => {
  const { name, calls, findings, problem } = session;
  if (problem !== undefined) return [`CANNOT BE USED: ${name}: ${problem}`];
  return [
    isPassed(session) ? `PASSED: ${name}: ${counted(calls, 'call')}` : `FAILED: ${name}`,
    ...findings.map((finding) => `  ${finding.rule}: ${titleOf(finding)}: ${inOneLine(finding.text)}`),
  ];
};

const titleOf = ({ what, lineNumber }: Finding): string => (lineNumber === 0 ? what : `${what} (line ${lineNumber})`);

const toJunit = (sessions: readonly CheckedSession[], coverage: Measured | undefined): string => {
  const builder = junit().newBuilder();
  for (const { name, findings, problem } of sessions) {
    const suite = builder.testSuite().name(toVisible(name));
    const caseOf = (title: string) => suite.testCase().className(toVisible(name)).name(toVisible(title));
    if (problem !== undefined) caseOf('the tape').error(toVisible(problem));
    else if (findings.length === 0) caseOf('all rules');
    for (const finding of findings) {
      const one = caseOf(`${finding.rule}: ${titleOf(finding)}`);
      if (isFailing(finding)) one.failure(toVisible(inOneLine(finding.text)), finding.rule);
      else one.skipped();
    }
  }
  if (coverage !== undefined) {
    const least = builder.testSuite().name('coverage').testCase().className('coverage').name('the least percentage');
    if (!isEnough(coverage)) least.failure(describeCoverage(coverage).join('\n'), 'coverage');
  }
  return `${builder.build()}\n`;
};
