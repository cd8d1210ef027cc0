/** Shows a tape as it is recorded, a line for each message. */
import { dirname } from 'node:path';
import { catchError, defer, type Observable, throwError } from 'rxjs';
import { type LoadDeps, toTapeError } from '../../app/tapes/loadTape';
import { followNatsTape } from '../../fleet/tapes/readNatsTape';
import { followFile } from '../../io/disk/watchFiles';
import { isNatsAddress, parseNatsAddress } from '../../io/nats/natsAddress';
import { isThere } from '../../io/paths/look';
import { fromReadable } from '../../io/stdio/fromInput';
import { noBackpressure } from '../../streams/backpressure';
import { decodeUtf8 } from '../../streams/bytes/decodeUtf8';
import { splitLines } from '../../streams/bytes/splitLines';
import { mapAccum } from '../../streams/gather';
import { withResource } from '../../streams/withResource';
import { readTape } from '../../tapes/format/readTape';
import { TapeError, type TapeItem } from '../../tapes/format/tape';
import { type LineOptions, liveMarbles } from '../demo/live';
import type { TimedTraffic } from '../demo/toMarks';

/**
 * Emits the lines of all that is on the tape, and of what comes; `-` is stdin, at whose end it completes. A file and a tape on NATS never end.
 * A file that is not there is waited for, with a remark. Errors with TapeError if its folder is not there either, if the server has
 * no tapes, and if a part of the tape is missing.
 */
export const startFollowing = (
  { nats, stdin, remark }: LoadDeps,
  address: string,
  options: LineOptions,
): Observable<string> =>
  defer(() => {
    if (address === '-') return fromReadable<Uint8Array>(stdin, noBackpressure);
    if (!isNatsAddress(address)) return followOrWait(remark, address);
    const { name } = parseNatsAddress(address);
    return nats(address).pipe(withResource((link) => followNatsTape(link, name)));
  }).pipe(
    decodeUtf8(),
    splitLines(),
    readTape(),
    mapAccum(toTraffic, { sessionMs: 0, lastMs: 0 }),
    liveMarbles(options),
    catchError((error) => throwError(() => toTapeError(address, error))),
  );

const followOrWait = (remark: LoadDeps['remark'], path: string): Observable<Uint8Array> => {
  const folder = dirname(path);
  if (!isThere(folder)) throw new TapeError(`${path} cannot be followed: there is no folder ${folder}`);
  if (!isThere(path)) remark(`${path} is not there yet; it is drawn as soon as it is recorded`);
  return followFile(path, folder).pipe(catchError((error) => throwError(() => unreadable(path, error))));
};

const unreadable = (path: string, { message }: Error): TapeError => new TapeError(`${path} cannot be read: ${message}`);

/** When the session began, and the time of the last entry. */
type Clock = { sessionMs: number; lastMs: number };

/** What passed between the two peers; inner seams and notes are left out. A session follows the one before it. */
const toTraffic = (clock: Clock, item: TapeItem): { state: Clock; output?: TimedTraffic } => {
  if (item.kind === 'meta') return { state: { ...clock, sessionMs: clock.lastMs } };
  if (item.kind !== 'entry' || item.entry.seam !== undefined) return { state: clock };
  const { dir, line, t } = item.entry;
  const timestamp = Math.round(clock.sessionMs + t);
  const value = trafficOf(dir, line);
  return { state: { ...clock, lastMs: clock.sessionMs + t }, ...(value && { output: { value, timestamp } }) };
};

const trafficOf = (dir: string, line: string): TimedTraffic['value'] | undefined => {
  if (dir === 'in') return { from: 'near', item: line };
  if (dir === 'out') return { from: 'far', item: { kind: 'line', line } };
  return dir === 'err' ? { from: 'far', item: { kind: 'log', line } } : undefined;
};
