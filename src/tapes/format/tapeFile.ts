/** The file of a tape: the port through which it is recorded, and the error if it cannot be used. */
import type { Observable } from 'rxjs';
import type { NamedFile } from '../../io/files/namedFile';

/** A tape on a disk or elsewhere. `append` copies the bytes, so that their buffer can be used again. */
export type TapeFile = Omit<NamedFile, 'fd'> & {
  /** Emits once after `close`, undefined if all bytes are stored, else the reason why some are not. Completes. */
  settled$: Observable<string | undefined>;
};

/** A tape cannot be used; the message has cause and remedy. */
export class TapeError extends Error {
  override name = 'TapeError';
}
