/** Reports a comparison as JUnit XML, which CI servers read. */
import type junitBuilder from 'junit-report-builder';
import { lazy } from '../lazy';
import { toVisible } from '../log';
import type { LaneResult } from './compare';
import { describeLane, titleOf } from './describeLane';

/** Large, and only needed for this report. */
const junit = /* @__PURE__ */ lazy(() => require('junit-report-builder') as typeof junitBuilder);

/** A suite with a case for each lane. @param name of the suite */
export const toJunit = (results: readonly LaneResult[], name: string): string => {
  const builder = junit().newBuilder();
  const suite = builder.testSuite().name(toVisible(name));
  for (const result of results) {
    const test = suite.testCase().className(toVisible(name)).name(titleOf(result));
    const lines = describeLane(result);
    if (lines.length > 0) test.failure('differs from the tape').stacktrace(lines.join('\n'));
  }
  return `${builder.build()}\n`;
};
