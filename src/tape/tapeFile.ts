/** The port of a file that a tape is recorded to. */
import type { Observable } from 'rxjs';
import type { NamedFile } from '../files';

/**
 * A tape on a disk or elsewhere. `append` keeps no bytes that it was called with. `settled$` emits once after `close`, when all is where it
 * belongs: undefined, or why some of it is not; then it completes.
 */
export type TapeFile = Omit<NamedFile, 'fd'> & { settled$: Observable<string | undefined> };
