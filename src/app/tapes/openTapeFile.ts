/** Opens what a tape is recorded to: a file of this machine, or a tape on NATS. */
import { randomUUID } from 'node:crypto';
import { defer, map, type Observable, of } from 'rxjs';
import type { NatsLink } from '../../fleet/link/natsLink';
import { openNatsTape } from '../../fleet/tapes/openNatsTape';
import { lockNamed, openToAppend } from '../../io/disk/namedHere';
import { isNatsAddress, parseNatsAddress } from '../../io/nats/natsAddress';
import { lockFreeTape, sessionPath } from '../../tapes/files/openTape';
import type { TapeFile } from '../../tapes/format/tape';

/** `nats` connects to an address. */
export type TapeFileDeps = { nats: (address: string) => Observable<NatsLink> };

/** A tape that is open for recording. */
export type OpenTapeFile = TapeFile & {
  /** Differs from the named path if another recorder writes there. */
  path: string;
};

/**
 * Emits the file, at its end; wait for `settled$` before unsubscribing, as a tape on NATS needs its connection until then. A file on the disk can be
 * read by its owner only. Errors when it cannot be opened. @param session the number of the name, from 0; see sessionPath
 */
export const openTapeFile = ({ nats }: TapeFileDeps, path: string, session = 0): Observable<OpenTapeFile> =>
  defer(() => {
    if (!isNatsAddress(path)) return of(onDisk(path, session));
    const own = sessionPath(path, session);
    return openNatsTape({ link$: nats(own), name: parseNatsAddress(own).name, recorder: randomUUID() }).pipe(
      map((file) => ({ ...file, path: own })),
    );
  });

/** The file, settled when it is closed. @param session the number of the first name to try, from 0 */
export const onDisk = (path: string, session = 0): OpenTapeFile => {
  const { path: free, release } = lockFreeTape(lockNamed, path, session);
  try {
    const file = openToAppend(free);
    const close = () => {
      file.close();
      release();
    };
    return { ...file, close, path: free, settled$: of(undefined) };
  } catch (error) {
    release();
    throw error;
  }
};
