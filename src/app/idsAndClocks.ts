/** What the server makes anew in each run: ids, a key for what it signs, times; and when its timers are due. */
import { randomBytes, randomUUID } from 'node:crypto';
import { lazy } from '../streams/lazy/lazy';
import { recordChance } from '../tapes/format/chance';
import type { Tape } from '../tapes/format/tape';
import { recordTimers } from '../tapes/seams/recordTimers';
import type { PlayedSeams } from '../tapes/seams/seamPorts';

const randomId = (): string => randomUUID();

/** The sources: recorded where there is a tape, or those of a rerun. */
export const idsAndClocks = ({ seams, tape }: { seams?: PlayedSeams; tape?: Tape }) => {
  const chance = seams?.chance ?? recordChance(tape);
  const key = chance('key', () => randomBytes(32).toString('hex'));
  return {
    newId: chance('id', randomId),
    newCallId: chance('callId', randomId),
    key: lazy(() => Buffer.from(key(), 'hex')),
    now: chance('time', Date.now),
    clockMs: chance('callClock', () => performance.now()),
    after: seams?.after ?? recordTimers(tape),
  };
};
