/** The files that a patch names, as a planner sees them: a view of the disk before the patch. */
import type { Observable } from 'rxjs';

/** A regular file. */
export type FileState = {
  bytes: Uint8Array;
  /** Its permission bits, or those the system gives a new file. */
  mode: number | 'default';
  /** Whether this process may write to it. */
  access: 'writable' | 'readOnly';
  /** Set if an editor shows these `bytes`: the path by which the editor knows the file, and the bytes on the disk. */
  editor?: { path: string; saved: Uint8Array };
};

/** What became of a request to an editor: the text of the file, or why there is none. */
export type EditorAnswer = { text: string } | { fault: string };

/** An editor, which may show files with changes that are not on the disk. Its streams emit once and never error. */
export type Editor = {
  /** The path by which the editor is asked for a file; undefined if it must not be asked. `real` is the same path with links resolved. */
  pathOf: (absolute: string, real: string) => Promise<string | undefined>;
  read: (path: string) => Observable<EditorAnswer>;
  write: (path: string, text: string) => Observable<EditorAnswer>;
};

/** What is at a path. `absent`: nothing, but a file may be created. `blocked`: a file can neither be read nor created. */
export type Seen =
  | {
      kind: 'file';
      /** The absolute path of the file, with links resolved. */
      real: string;
      /** The same for the name itself, which is different if the name is a link. Deleting a path removes its entry. */
      entry: string;
      file: FileState;
    }
  | { kind: 'absent'; real: string }
  | {
      kind: 'blocked';
      /** `parent`: no folder can be made above it either. */
      part: 'file' | 'parent';
      /** The error text of the system. */
      reason: string;
    };

/** What is at each path that a patch names; keys are paths as written. */
export type View = ReadonlyMap<
  string,
  Seen & {
    /** The path joined to the folder, as written. */
    absolute: string;
  }
>;

/** A folder in the place of a file. Source: the error that Linux gives when a folder is read. */
export const FOLDER: Seen = { kind: 'blocked', part: 'file', reason: 'Is a directory (os error 21)' };
