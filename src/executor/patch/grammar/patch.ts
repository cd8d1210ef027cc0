/** The shapes of a parsed patch. Lines are counted from 1, which is the line `*** Begin Patch`. */

/** One line of a chunk: unchanged, removed, or added. */
export type ChunkLine = { kind: 'context' | 'removed' | 'added'; text: string };

/** A place in a file and the change there. */
export type Chunk = {
  /** Lines to find first, in this order, before `lines`. */
  contexts: readonly string[];
  lines: readonly ChunkLine[];
  /** Whether its lines may be anywhere after the contexts, or only at the end of the file. */
  anchor: 'anywhere' | 'endOfFile';
  /** The line of the patch at which it begins. */
  line: number;
};

/** What a patch does with one file. */
export type Section =
  | {
      kind: 'add';
      /** As written. */
      path: string;
      content: string;
      line: number;
    }
  | { kind: 'delete'; path: string; line: number }
  | UpdateSection;

/** A file that a patch changes, and where it moves. */
export type UpdateSection = {
  kind: 'update';
  path: string;
  moveTo?: string;
  chunks: readonly Chunk[];
  line: number;
};

/** A patch that could be read. */
export type Patch = { kind: 'patch'; sections: readonly Section[] };

/** Why a text is not a patch: as a whole, or because of one line. */
export type GrammarFailure =
  | { kind: 'invalidPatch'; message: string }
  | { kind: 'invalidHunk'; line: number; message: string };
