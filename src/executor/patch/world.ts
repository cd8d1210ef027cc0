/** The files in the course of a patch, as it is applied in memory section by section. */
import type { FileState, Seen, View } from './seen';

/** The files that a patch sees while it is planned. */
export type World = {
  /** The disk before the patch. */
  seen: View;
  /** What the patch has made of files so far, by real path; undefined: the file is gone. */
  now: ReadonlyMap<string, FileState | undefined>;
  /** How the patch first named each file. */
  names: ReadonlyMap<string, { path: string; absolute: string }>;
  /** From which file to which. */
  moves: ReadonlyMap<string, string>;
};

/** What a section finds at a path. */
export type Place = Seen & { absolute: string };

/** The disk before any section has changed it. */
export const noWorld = (seen: View): World => ({ seen, now: new Map(), names: new Map(), moves: new Map() });

/** The file at a path now. A view must contain every path of its patch. */
export const placeAt = ({ seen, now }: World, path: string): Place => {
  const place = seen.get(path);
  if (place === undefined) throw new Error(`the view of the files does not hold ${path}`);
  if (place.kind === 'blocked') return place;
  const { real, absolute } = place;
  const entry = place.kind === 'file' ? place.entry : real;
  if (now.has(entry) && now.get(entry) === undefined) return { kind: 'absent', real: entry, absolute };
  const file = now.has(real) ? now.get(real) : place.kind === 'file' ? place.file : undefined;
  return file === undefined ? { kind: 'absent', real, absolute } : { kind: 'file', real, entry, file, absolute };
};

/** The world after a file has changed or was removed. */
export const withFile = (world: World, name: { path: string; real: string }, file: FileState | undefined): World => {
  const absolute = world.seen.get(name.path)?.absolute ?? name.path;
  const names = new Map(world.names);
  if (!names.has(name.real)) names.set(name.real, { path: name.path, absolute });
  return { ...world, names, now: new Map(world.now).set(name.real, file) };
};

/** The world after a file has moved; a file that moved before has moved from its first place. */
export const withMove = (world: World, from: string, to: string): World => {
  const first = [...world.moves].find(([, target]) => target === from)?.[0];
  return { ...world, moves: new Map(world.moves).set(first ?? from, to) };
};
