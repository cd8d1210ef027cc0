/** Runs what is to be done soon in one go. */

/**
 * As `soon`, but functions that wait at the same time run one after another in one task, in the order in which they came, so that their looks at
 * the disk are shared. None of them may throw.
 */
export const soonTogether = (soon: (run: () => void) => void): ((run: () => void) => void) => {
  let waiting: (() => void)[] = [];
  const runAll = () => {
    const due = waiting;
    waiting = [];
    for (const run of due) run();
  };
  return (run) => {
    if (waiting.length === 0) soon(runAll);
    waiting.push(run);
  };
};
