/** Which recorded call answers one of a daemon that runs again. */
import { maskArguments } from '../../io/log/maskAddress';
import type { RecordedCall } from '../rerun/rerunPlan';

/** A descriptor, of the daemon that recorded or of this one, that gives a sandbox a file. */
const OWN_DESCRIPTOR = /^\/proc\/\d+\/fd\/\d+$/;

/**
 * The part of a request that is compared: the environment of a process is of its machine, and descriptors are of a daemon's process. Secret
 * arguments are masked on both sides, because tapes of earlier builds hold them.
 */
export const keyOfCall = ({ seam, line }: RecordedCall): string => {
  if (seam !== 'executor') return line;
  const { argv, cwd } = JSON.parse(line);
  const compared = maskArguments(argv).map((text) => (OWN_DESCRIPTOR.test(text) ? '/proc/PID/fd/N' : text));
  return JSON.stringify([compared, cwd]);
};
