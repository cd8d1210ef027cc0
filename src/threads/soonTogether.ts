/** Runs deferred functions together, in one task of the event loop. */

/**
 * Defers functions as `soon` does, but calls it once for all that wait at the same time: they run in one task, in their order, so that they share
 * what is looked up once per task (`oncePerTask`, the folders of `privateFiles`). None of them may throw.
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
