/** What the commands on tapes need of this process. */
import type { LoadDeps } from '../app/tapes/loadTape';
import { remarkAs } from './ending';
import { natsOf } from './natsOf';

/** stdin, remarks on stderr, and NATS as the configuration says, for the command of this name. */
export const tapeDeps = (command: string): LoadDeps => ({
  stdin: process.stdin,
  remark: remarkAs(command),
  nats: natsOf(command),
});
