/** The submodules of a repository. A git in the repository around a submodule runs git there as well, which obeys its settings. */
import { foldersUp, inFolder } from '../../io/paths/relations';
import type { Pausing } from '../../streams/pausing';
import { gitdirOf } from '../../streams/text/trim';
import { SandboxError } from './sandbox';
import type { ReadPieces, SandboxFiles } from './sandboxFiles';

type Files = Pick<SandboxFiles, 'realpath' | 'kindOf' | 'list' | 'readText' | 'readPieces'>;

/**
 * The folders of all submodules of the repositories that folders are in, checked out or not, and of their submodules. The index names them: `.gitmodules` is a
 * file of the workspace, which a command may have changed. Throws SandboxError if an index cannot be read to its end, or has a path that is not UTF-8: its
 * submodules would not be protected.
 */
export function* submodulesAround(files: Files, folders: readonly string[]): Pausing<string[]> {
  const tops = folders.map((folder) => foldersUp(folder).find((at) => indexesOf(files, at).length > 0));
  const found = new Set<string>();
  for (const top of new Set(tops)) if (top !== undefined) yield* addSubmodules(files, top, found);
  return [...found];
}

/** What is reached by a link may become a submodule again, but has none now: it could lead here. */
function* addSubmodules(files: Files, top: string, found: Set<string>): Pausing<void> {
  for (const index of indexesOf(files, top))
    for (const path of yield* linksAt(files, index)) {
      const folder = inFolder(top, path);
      found.add(folder);
      if (files.realpath(folder) === folder) yield* addSubmodules(files, folder, found);
      yield;
    }
}

const indexesOf = (files: Files, folder: string): string[] => {
  const git = inFolder(folder, '.git');
  const named = files.kindOf(git) === 'file' ? gitdirOf(files.readText(git)) : git;
  if (named === undefined) return [];
  const gitDir = named.startsWith('/') ? named : inFolder(folder, named);
  return files
    .list(gitDir)
    .filter((name) => /^(?:index|sharedindex\..+)$/.test(name))
    .map((name) => inFolder(gitDir, name));
};

/** The mode of an entry that stands for a submodule. */
const LINK = 0o160000;
/** Bytes of an entry before the id of the object and the flags. */
const FACTS = 40;

/** The paths of the submodules in an index, with ids of either length. None if git reads no index there. Source: git 2.39, gitformat-index(5). */
function* linksAt(files: Files, index: string): Pausing<string[]> {
  if ((yield* files.readPieces(index, mayHaveLinks)) !== true) return [];
  const read = [yield* files.readPieces(index, withShortIds), yield* files.readPieces(index, withLongIds)];
  const unclear = read.flatMap((links) => links?.find((path) => path.includes(NOT_UTF8)) ?? [])[0];
  if (unclear !== undefined)
    throw new SandboxError(
      `${index} names the submodule ${unclear}, which is not UTF-8 and cannot be protected; rename it`,
    );
  if (read.some((links) => links !== undefined)) return [...new Set(read.flatMap((links) => links ?? []))];
  throw new SandboxError(
    `${index} is damaged or of an unknown form, so the submodules that it names cannot be protected; if git cannot read it either, remove it and run git reset`,
  );
}

/** What stands for bytes that no path can be made of. */
const NOT_UTF8 = '\ufffd';

/** False if git takes it for no index, or if no entry has that mode: found quickly, as most repositories have no submodules. */
function* mayHaveLinks(pieces: Iterable<Buffer>): Pausing<boolean> {
  let looks = 0;
  let last: Buffer | undefined; // bytes of the piece before, in which a mode may begin
  for (const piece of pieces) {
    if (last === undefined && !isIndex(piece)) return false;
    const bytes = Buffer.concat([last ?? NOTHING, piece]);
    for (let at = bytes.indexOf(END); at >= 0; at = bytes.indexOf(END, at + 1))
      if ((bytes[at - 1] === 0 && bytes[at - 2] === 0) || ++looks > MOST_LOOKS) return true;
    last = bytes.subarray(-3);
    yield;
  }
  return false;
}

const isIndex = (head: Buffer): boolean => head.length > 12 && head.toString('latin1', 0, 4) === 'DIRC';

/** Of the four bytes of the mode; zeros come first, which are everywhere. */
const END = Buffer.from([LINK >> 8, 0]);

/** Ids of objects have the two bytes by chance too. */
const MOST_LOOKS = 100_000;

/** Undefined if the entries are not of this form. */
function* readEntries(pieces: Iterable<Buffer>, idBytes: number): Pausing<string[] | undefined> {
  const links: string[] = [];
  let bytes = NOTHING;
  let form: Form | undefined;
  let [at, left] = [0, 0];
  for (const piece of pieces) {
    bytes = Buffer.concat([bytes.subarray(at), piece]);
    at = form === undefined ? 12 : 0;
    left = form === undefined ? bytes.readUInt32BE(8) : left;
    form ??= { idBytes, version: bytes.readUInt32BE(4), before: NOTHING };
    for (; left > 0; left--) {
      const entry = readEntry(bytes, at, form);
      if (entry === undefined) break;
      if (entry.isLink && entry.path.length > 0) links.push(entry.path.toString('utf8')); // without a path it is one of the shared index
      if (form.version === 4) form = { ...form, before: entry.path };
      at = entry.next;
    }
    if (left === 0) return links;
    if (bytes.length - at > MOST_ENTRY_BYTES) return undefined;
    yield;
  }
  return undefined;
}

const withShortIds: ReadPieces<string[] | undefined> = (pieces) => readEntries(pieces, 20);
const withLongIds: ReadPieces<string[] | undefined> = (pieces) => readEntries(pieces, 32);

type Form = {
  idBytes: number;
  version: number;
  /** The path of the entry before, in version 4. */
  before: Buffer;
};
type Entry = { isLink: boolean; path: Buffer; next: number };

/** Longer entries have paths that no system takes. */
const MOST_ENTRY_BYTES = 65_536;

/** Undefined if it is no entry, and if the bytes end before it does. */
const readEntry = (bytes: Buffer, at: number, { idBytes, version, before }: Form): Entry | undefined => {
  const flagsAt = at + FACTS + idBytes;
  if (flagsAt + 4 > bytes.length) return undefined;
  const mode = bytes.readUInt32BE(at + 24);
  const pathAt = flagsAt + (bytes.readUInt16BE(flagsAt) & EXTENDED ? 4 : 2);
  const kept = version === 4 ? readPrefix(bytes, pathAt, before) : { from: pathAt, prefix: NOTHING };
  const length = bytes.readUInt16BE(flagsAt) & LENGTH;
  const end = length < LENGTH ? kept.from + length - kept.prefix.length : bytes.indexOf(0, kept.from);
  const next = version === 4 ? end + 1 : at + ((end - at + 8) & ~7);
  if (!MODES.has(mode) || end < kept.from || bytes[end] !== 0 || next > bytes.length) return undefined;
  const isKept = version === 4 || mode === LINK;
  const path = isKept ? Buffer.concat([kept.prefix, bytes.subarray(kept.from, end)]) : NOTHING;
  return { isLink: mode === LINK, path, next };
};

/** A bit of the flags: more flags follow. */
const EXTENDED = 0x4000;
/** The bits of the flags that are the length of the path, all set for a path that is as long or longer. */
const LENGTH = 0xfff;
const NOTHING: Buffer = Buffer.alloc(0);

const MODES: ReadonlySet<number> = new Set([0o100644, 0o100755, 0o120000, 0o40000, LINK]);

/** A path of version 4 begins with a number: how many bytes of the path before it are replaced. */
const readPrefix = (index: Buffer, at: number, before: Buffer): { from: number; prefix: Buffer } => {
  let from = at;
  let byte = index[from++] ?? 0;
  let replaced = byte & 127;
  while (byte & 128) {
    byte = index[from++] ?? 0;
    replaced = (replaced + 1) * 128 + (byte & 127);
  }
  return { from, prefix: before.subarray(0, Math.max(0, before.length - replaced)) };
};
