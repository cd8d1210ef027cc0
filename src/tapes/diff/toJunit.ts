/** Reports a comparison as JUnit XML, which CI servers read. */
import type junitBuilder from 'junit-report-builder';
import { toVisible } from '../../io/log/toVisible';
import { lazy } from '../../streams/lazy/lazy';
import type { LaneResult } from './compare';
import { describeLane, titleOf } from './describeLane';

/** Large, and only needed for this report. */
const junit = /* @__PURE__ */ lazy(() => require('junit-report-builder') as typeof junitBuilder);

/** The part of a compared session that is reported. */
type Session = { name: string; results: readonly LaneResult[]; problem?: string };

/** A suite for each session, with a case for each lane. */
export const toJunit = (sessions: readonly Session[]): string => {
  const builder = junit().newBuilder();
  for (const session of sessions) addSuite(builder, session);
  return `${builder.build()}\n`;
};

const addSuite = (builder: ReturnType<typeof junitBuilder.newBuilder>, { name, results, problem }: Session): void => {
  const suite = builder.testSuite().name(toVisible(name));
  const caseOf = (title: string) => suite.testCase().className(toVisible(name)).name(title);
  if (problem !== undefined) caseOf('the tape').error(toVisible(problem));
  for (const result of results) {
    const test = caseOf(titleOf(result));
    const lines = describeLane(result);
    if (lines.length > 0) test.failure('differs from the tape').stacktrace(lines.join('\n'));
  }
};
