/** Connections to NATS for a command on tapes, which logs in as the server would. */
import { natsHere } from '../fleet/link/natsHere';
import { lazy } from '../streams/lazy';
import { remarkAs } from './ending';
import { plainOptions } from './plainOptions';
import { thisProcess } from './thisProcess';

/** Losses and returns of the connection become remarks of the command. The configuration, and with it a home, is needed by the first address only. */
export const natsOf = (command: string): ReturnType<typeof natsHere> => {
  const open = lazy(() =>
    natsHere({
      processInfo: thisProcess(),
      options: plainOptions,
      log: (level, message) => level !== 'debug' && remarkAs(command)(message),
    }),
  );
  return (address) => open()(address);
};
