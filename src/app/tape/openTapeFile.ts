/** Opens what a tape is recorded to: a file of this machine, or a tape on NATS. */
import { randomUUID } from 'node:crypto';
import { defer, type Observable, of } from 'rxjs';
import { openNatsTape, type TapeFile } from '../../tape';
import { isNatsAddress, type NatsLink, parseNatsAddress } from '../../transport/nats';
import { openToAppend } from '../files';

/** `nats` connects to an address. */
export type TapeFileDeps = { nats: (address: string) => Observable<NatsLink> };

/**
 * Emits the file, at its end; wait for `settled$` before unsubscribing, as a tape on NATS needs its connection until then. A file on the disk can be
 * read by its owner only. Errors when it cannot be opened.
 */
export const openTapeFile = ({ nats }: TapeFileDeps, path: string): Observable<TapeFile> =>
  defer(() => {
    if (!isNatsAddress(path)) return of(onDisk(path));
    return openNatsTape({ link$: nats(path), name: parseNatsAddress(path).name, recorder: randomUUID() });
  });

/** Settled when it is closed. */
export const onDisk = (path: string): TapeFile => ({ ...openToAppend(path), settled$: of(undefined) });
