/** Shows the changes of a turn as git would. */
import { isUtf8 } from 'node:buffer';
import type { FileState } from './seen';
import type { TurnChange, TurnChanges } from './turnChanges';
import { unifiedDiffs } from './unifiedDiff';

type TurnDiffDeps = {
  /** Git's name for a content, 40 hex digits. */
  blobId: (bytes: Uint8Array) => string;
  /** Absolute; paths in it are shown relative to it. */
  root?: string;
};

/** One file in the diff: where it was and where it is. */
type Pair = { oldPath: string; newPath: string; first: FileState | undefined; now: FileState | undefined };

const CONTEXT = 3;
const NO_BLOB = '0'.repeat(40);
const NO_FILE = '/dev/null';
const NOTHING = new Uint8Array();

/**
 * The diff of a turn, with files by their current paths; empty if everything is as the turn found it.
 * Source: Codex 0.28.0, tapes `patch-*`, CORE 5.7: whole ids, three lines of context, no similarity lines in a move that changes the file.
 */
export const toTurnDiff =
  ({ blobId, root }: TurnDiffDeps) =>
  (changes: TurnChanges): string => {
    const show = showPair({ blobId, diff: unifiedDiffs({ context: CONTEXT }) });
    return toPairs(changes)
      .map((pair) => ({ ...pair, oldPath: showPath(pair.oldPath, root), newPath: showPath(pair.newPath, root) }))
      .filter(isDifferent)
      .sort((a, b) => (a.newPath < b.newPath ? -1 : 1))
      .map(show)
      .join('');
  };

/** A path outside the root stays absolute, even after `a/`. */
const showPath = (path: string, root: string | undefined): string => {
  const folder = root === undefined || root.endsWith('/') ? root : `${root}/`;
  return folder !== undefined && path.startsWith(folder) ? path.slice(folder.length) : path;
};

const toPairs = (changes: TurnChanges): Pair[] => {
  const moved = new Set([...changes.values()].flatMap((change) => targetOf(changes, change) ?? []));
  return [...changes].flatMap(([path, change]) => {
    const target = targetOf(changes, change);
    if (target !== undefined) {
      return [{ oldPath: path, newPath: target, first: change.first, now: changes.get(target)?.now }];
    }
    return moved.has(path) ? [] : [{ oldPath: path, newPath: path, first: change.first, now: change.now }];
  });
};

/** Where a file has moved to, if it is still there and has not replaced another file. */
const targetOf = (changes: TurnChanges, { first, now, movedTo }: TurnChange): string | undefined => {
  const target = movedTo === undefined ? undefined : changes.get(movedTo);
  return first && !now && target?.now && !target.first ? movedTo : undefined;
};

const isDifferent = ({ oldPath, newPath, first, now }: Pair): boolean =>
  oldPath !== newPath || gitMode(first) !== gitMode(now) || !isSameContent(first, now);

const isSameContent = (a: FileState | undefined, b: FileState | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && Buffer.compare(a.bytes, b.bytes) === 0);

/** Git distinguishes only executable files and others. */
const gitMode = (file: FileState | undefined): string | undefined =>
  file && (file.mode !== 'default' && (file.mode & 0o111) !== 0 ? '100755' : '100644');

type ShowDeps = Pick<TurnDiffDeps, 'blobId'> & { diff: ReturnType<typeof unifiedDiffs> };

const showPair =
  ({ blobId, diff }: ShowDeps) =>
  (pair: Pair): string => {
    const { oldPath, newPath, first, now } = pair;
    const head = [`diff --git a/${oldPath} b/${newPath}`, ...modeLines(gitMode(first), gitMode(now))];
    if (isSameContent(first, now)) return toText([...head, ...renameLines(pair)]);
    const ids = [first, now].map((file) => (file ? blobId(file.bytes) : NO_BLOB));
    const names = [`--- ${first ? `a/${oldPath}` : NO_FILE}`, `+++ ${now ? `b/${newPath}` : NO_FILE}`];
    const [before = NOTHING, after = NOTHING] = [first?.bytes, now?.bytes];
    if (!isUtf8(before) || !isUtf8(after)) {
      return toText([...head, `index ${ids.join('..')}`, ...names, 'Binary files differ']);
    }
    const hunks = diff(before, after);
    return toText([...head, `index ${ids.join('..')}`, ...(hunks === '' ? [] : names)]) + hunks;
  };

const modeLines = (first: string | undefined, now: string | undefined): string[] => {
  if (first === undefined) return [`new file mode ${now}`];
  if (now === undefined) return [`deleted file mode ${first}`];
  return first === now ? [] : [`old mode ${first}`, `new mode ${now}`];
};

/** If the content is unchanged, only these lines show a move. Source: git-diff(1). */
const renameLines = ({ oldPath, newPath }: Pair): string[] =>
  oldPath === newPath ? [] : ['similarity index 100%', `rename from ${oldPath}`, `rename to ${newPath}`];

const toText = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
