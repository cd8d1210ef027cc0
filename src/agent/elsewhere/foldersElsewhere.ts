/** Folders of another machine, without links. */
import { catchError, map, type Observable, of } from 'rxjs';
import type { Executor } from '../../executor/backend';
import type { HoldFolder } from '../../executor/inRealFolder';
import { remoteFiles } from '../../executor/remote/remoteFiles';

type FoldersElsewhereDeps = Pick<Executor, 'request'>;

/** Emits once where a folder of the executor is, without links; the path itself where that cannot be found out. */
export const realFolderElsewhere =
  ({ request }: FoldersElsewhereDeps) =>
  (path: string): Observable<string> =>
    remoteFiles({ request })
      .canonical(path)
      .pipe(catchError(() => of(path))); // a process could not start there either

/** The path is checked right before a start: a link that comes while the request to start a process is under way is not noticed. */
export const holdElsewhere =
  ({ request }: FoldersElsewhereDeps): HoldFolder =>
  (path) =>
    remoteFiles({ request })
      .canonical(path)
      .pipe(map((real) => (real === path ? { path, release: () => {} } : undefined)));
