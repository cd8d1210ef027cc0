/** Tapes that a team keeps on NATS: listed, copied and removed. */
import { randomUUID } from 'node:crypto';
import {
  catchError,
  defer,
  from,
  ignoreElements,
  map,
  type Observable,
  of,
  reduce,
  switchMap,
  tap,
  throwError,
  toArray,
} from 'rxjs';
import { openNatsTape } from '../../fleet/tapes/openNatsTape';
import { listNatsTapes, removeNatsTape, type TapeOnNats } from '../../fleet/tapes/readNatsTape';
import { isNatsAddress, parseNatsAddress } from '../../io/nats/natsAddress';
import { closedBy } from '../../streams/ends';
import { withResource } from '../../streams/withResource';
import { TapeError, type TapeFile } from '../../tapes/format/tape';
import { type LoadDeps, tapeBytes, toTapeError } from './loadTape';
import { onDisk, type TapeFileDeps } from './openTapeFile';
import { takenText, writeNew } from './writeFiles';

/** Emits the tapes of a server, by name. Errors with TapeError if it cannot be reached. */
export const listTapes = ({ nats }: TapeFileDeps, address: string): Observable<TapeOnNats[]> =>
  nats(address).pipe(withResource(listNatsTapes), orTapeError(address));

/** Removes a tape of a server. Errors with TapeError if there is none. */
export const removeTape = ({ nats }: TapeFileDeps, address: string): Observable<void> =>
  nats(address).pipe(
    withResource((link) => removeNatsTape(link, parseNatsAddress(address).name)),
    orTapeError(address),
  );

/** Copies a tape, the same to the byte; emits its size. Errors with TapeError, also if the target is there already. */
export const copyTape = (deps: LoadDeps, source: string, to: string): Observable<number> =>
  tapeBytes(deps, source).pipe(
    toArray(),
    switchMap((chunks) => newTape(deps, to).pipe(withResource((file) => written(file, to, chunks)))),
    orTapeError(to),
  );

const written = (file: TapeFile, to: string, chunks: readonly Uint8Array[]): Observable<number> =>
  from(chunks).pipe(
    tap((bytes) => file.append(bytes)),
    reduce((copied, bytes) => copied + bytes.length, 0),
    closedBy(() => closed(file, to)),
  );

const closed = (file: TapeFile, path: string): Observable<never> => {
  file.sync();
  file.close();
  return file.settled$.pipe(
    tap((trouble) => {
      if (trouble !== undefined) throw new TapeError(`${path} is incomplete: ${trouble}`);
    }),
    ignoreElements(),
  );
};

const MINUTES_10 = 600_000;

const newTape = ({ nats }: TapeFileDeps, path: string): Observable<TapeFile> => {
  if (!isNatsAddress(path)) return defer(() => of(newFile(path)));
  const { name } = parseNatsAddress(path);
  const limits = { maxWaitingBytes: Number.POSITIVE_INFINITY, settleMs: MINUTES_10 };
  return openNatsTape({ link$: nats(path), name, recorder: randomUUID(), ...limits }).pipe(
    map((file) => {
      if (file.size() > 0) throw new TapeError(takenText(path));
      return file;
    }),
  );
};

const newFile = (path: string): TapeFile => {
  writeNew(path, '');
  return onDisk(path);
};

const orTapeError =
  (path: string) =>
  <T>(source$: Observable<T>): Observable<T> =>
    source$.pipe(catchError((error) => throwError(() => toTapeError(path, error))));
