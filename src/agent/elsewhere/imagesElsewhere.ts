/** Pictures of another machine as data URLs. */
import { catchError, concatMap, map, type Observable, of } from 'rxjs';
import type { WholeFiles } from '../../executor/remote/remoteFiles';
import { reasonOf } from '../../streams/text/reasonOf';
import { imageFault, toImage } from '../native/readImage';
import type { ImageRead, ReadImage } from '../tools/image';

/** @param files in the sandbox of that machine, which hides its secrets */
export type ImagesElsewhereDeps = { files: Pick<WholeFiles, 'facts' | 'read'> };

/** Reads a picture there; only what begins as one of the known formats is shown, as on this machine. */
export const imagesElsewhere =
  ({ files }: ImagesElsewhereDeps): ReadImage =>
  (path) =>
    files.facts(path).pipe(
      concatMap((facts): Observable<ImageRead> => {
        const reason = imageFault(facts);
        return reason === undefined
          ? files.read(path, facts.size).pipe(map((bytes) => toImage(Buffer.from(bytes))))
          : of({ kind: 'unreadable', reason });
      }),
      catchError((error) => of<ImageRead>({ kind: 'unreadable', reason: reasonOf(error) })),
    );
