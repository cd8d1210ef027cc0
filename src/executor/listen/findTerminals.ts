/** Finds the package that opens terminals. */

import type { SpawnTerminal } from '../../io/processes/terminal';
import type { Log } from '../../protocol/log';

/** What is used of a package that opens terminals. */
export type TerminalPackage = { spawn: SpawnTerminal };

/** Each of `packages` gives one of them, or throws where it is not installed; the first that is there is used. */
export type FindTerminalsDeps = { packages: readonly (() => TerminalPackage)[]; log: Log };

/** A function that gives what opens terminals, or undefined and a log record. It looks at each call, for a package may be installed later. */
export const findTerminals =
  ({ packages, log }: FindTerminalsDeps) =>
  (): SpawnTerminal | undefined => {
    const failures: string[] = [];
    for (const load of packages) {
      try {
        return load().spawn;
      } catch (error) {
        failures.push((error as Error).message);
      }
    }
    log('info', 'no process can have a terminal', { why: failures.join('; ') });
    return undefined;
  };
