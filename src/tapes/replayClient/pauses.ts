/** Finds how long a recorded client waited between its lines, where that counts. */
import type { ClientLine, SessionIndex } from '../session/sessionIndex';

/**
 * A number is a multiple of the recorded pace; `needed` waits only after a line that the server does not respond to, as nothing else shows
 * when the server is done with it; `max` does not wait at all.
 */
export type Pace = number | 'needed' | 'max';

/** Longer pauses are those of a person, not of a server. */
const MAX_NEEDED_MS = 1_000;

type Recorded = Pick<SessionIndex, 'clientLines' | 'entries' | 'exit'>;

/** How long the client waits after each of its lines, in ms. */
export const toPauses = ({ clientLines, entries, exit }: Recorded, pace: Pace): number[] => {
  const endMs = exit && entries[exit.entry]?.entry.t;
  return clientLines.map((line, i) => {
    const gapMs = Math.max(0, (clientLines[i + 1]?.t ?? endMs ?? line.t) - line.t);
    if (pace === 'max') return 0;
    if (pace === 'needed') return isUnanswered(line) ? Math.min(gapMs, MAX_NEEDED_MS) : 0;
    return gapMs / pace;
  });
};

const isUnanswered = ({ messages }: ClientLine): boolean => messages.every(({ kind }) => kind !== 'request');
