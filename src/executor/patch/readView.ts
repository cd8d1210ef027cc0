/** Reads the files that a patch names into a view. */
import { isAbsolute, sep } from 'node:path';
import { defaultIfEmpty, from, last, map, mergeScan, type Observable } from 'rxjs';
import type { Patch } from './grammar/patch';
import type { Seen, View } from './seen';

/** `look`: what is at an absolute path; a file of more than `maxBytes` counts as unreadable. */
export type ViewDeps = { look: (path: string, maxBytes: number) => Promise<Seen> };

/** The limit for all files of a patch together: they are kept in memory, old and new. */
const MAX_BYTES = 134_217_728;

/**
 * What is at every path that a patch names, by the path as written. Relative paths begin at `folder`; `..` and links in them mean what
 * they mean to the system.
 * Emits once and completes; errors only where `look` does.
 */
export const readView =
  ({ look }: ViewDeps) =>
  (patch: Patch, folder: string): Observable<View> =>
    from(pathsOf(patch)).pipe(
      mergeScan((view: View, path) => addPlace(look, view, { path, absolute: toAbsolute(folder, path) }), new Map(), 1),
      defaultIfEmpty<View, View>(new Map()),
      last(),
    );

const pathsOf = ({ sections }: Patch): Set<string> =>
  new Set(
    sections.flatMap((section) =>
      section.kind === 'update' && section.moveTo !== undefined ? [section.path, section.moveTo] : [section.path],
    ),
  );

/** Not normalised: `d/../f` is not `f` where d is a link. */
const toAbsolute = (folder: string, path: string): string =>
  isAbsolute(path) ? path : `${folder.endsWith(sep) ? folder : folder + sep}${path}`;

const addPlace = (
  look: ViewDeps['look'],
  view: View,
  { path, absolute }: { path: string; absolute: string },
): Observable<View> =>
  from(look(absolute, MAX_BYTES - bytesIn(view))).pipe(map((seen) => new Map(view).set(path, { ...seen, absolute })));

const bytesIn = (view: View): number =>
  [...view.values()].reduce((sum, seen) => sum + (seen.kind === 'file' ? seen.file.bytes.length : 0), 0);
