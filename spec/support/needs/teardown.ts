/** Runs once after the last spec, when Jest has printed its summary: prints what was left out, and fails the run if that counts as a failure. */
import { getMissing } from './missing';
import { type Results, reportOf } from './report';

declare global {
  /** Left by reporter.js. */
  var specResults: (Results & { success: boolean }) | undefined;
}

export default function teardown({ ci, rootDir }: { ci: boolean; rootDir: string }): void {
  const results = globalThis.specResults;
  if (results === undefined) return;
  const { lines, isFailure } = reportOf(results, { missing: getMissing(), root: rootDir, isCi: ci });
  if (lines.length > 0) process.stderr.write(`\n${lines.join('\n')}\n`);
  if (isFailure) results.success = false; // the exit code comes from it
}
