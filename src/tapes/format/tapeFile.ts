/** The port of a file that a tape is recorded to. */
import type { Observable } from 'rxjs';
import type { NamedFile } from '../../io/files/namedFile';

/**
 * A tape on a disk or elsewhere. `append` copies the bytes, so that their buffer can be used again. `settled$` emits once after `close`: undefined
 * when all bytes are stored, else the reason why some are not; then it completes.
 */
export type TapeFile = Omit<NamedFile, 'fd'> & { settled$: Observable<string | undefined> };
