/** Owns finding what opens terminals: node-pty, which has native parts and few need, so it is not brought along. */
import type { Log } from '../../log';
import type { SpawnTerminal } from '../../transport';

/** @param load a package by its name; throws where it is not installed */
export type FindTerminalsDeps = { load: (name: string) => unknown; log: Log };

/** What opens terminals here, or undefined, and the log says why. Looks again each time, for it may come. */
export const findTerminals =
  ({ load, log }: FindTerminalsDeps) =>
  (): SpawnTerminal | undefined => {
    try {
      return (load('node-pty') as { spawn: SpawnTerminal }).spawn;
    } catch (error) {
      log('info', 'no process can have a terminal', { why: (error as Error).message });
      return undefined;
    }
  };
