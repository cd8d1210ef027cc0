/** Finds the package that opens terminals. */
import type { Log } from '../../log';
import type { SpawnTerminal } from '../../transport';

/** @param load a package by its name; throws where it is not installed */
export type FindTerminalsDeps = { load: (name: string) => unknown; log: Log };

/** The optional dependency has prebuilt binaries; node-pty is compiled where there are none, if the user installs it. */
const PACKAGES = ['@lydell/node-pty', 'node-pty'];

/** A function that gives what opens terminals, or undefined and a log record. It looks at each call, for a package may be installed later. */
export const findTerminals =
  ({ load, log }: FindTerminalsDeps) =>
  (): SpawnTerminal | undefined => {
    const failures: string[] = [];
    for (const name of PACKAGES) {
      try {
        return (load(name) as { spawn: SpawnTerminal }).spawn;
      } catch (error) {
        failures.push((error as Error).message);
      }
    }
    log('info', 'no process can have a terminal', { why: failures.join('; ') });
    return undefined;
  };
