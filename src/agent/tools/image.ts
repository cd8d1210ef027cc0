/** Port: images on the disk, for messages to a model. */
import type { Observable } from 'rxjs';

/** An image as a data URL, or why there is none. */
export type ImageRead = { kind: 'image'; url: string } | { kind: 'unreadable'; reason: string };

/** Reads the image at an absolute path. Emits once; never errors. */
export type ReadImage = (path: string) => Observable<ImageRead>;
