/** Connections to NATS for a command on tapes, which logs in as the server would. */
import { natsHere } from '../app/nats';
import { remarkAs } from './ending';
import { plainOptions } from './plainOptions';
import { thisProcess } from './thisProcess';

/** Losses and returns of the connection become remarks of the command. */
export const natsOf = (command: string): ReturnType<typeof natsHere> =>
  natsHere({
    processInfo: thisProcess(),
    options: plainOptions,
    log: (level, message) => level !== 'debug' && remarkAs(command)(message),
  });
