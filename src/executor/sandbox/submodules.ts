/** The submodules of a repository. A git in the repository around a submodule runs git there as well, which obeys its settings. */
import { foldersUp, inFolder } from '../../io/paths/relations';
import { gitdirOf } from '../../streams/text/trim';
import type { SandboxFiles } from './sandboxFiles';

type Files = Pick<SandboxFiles, 'realpath' | 'kindOf' | 'list' | 'readText' | 'readBytes'>;

/**
 * The folders of all submodules of the repository that a folder is in, checked out or not, and of their submodules. The index names them: `.gitmodules` is a
 * file of the workspace, which a command may have changed.
 */
export const submodulesAround = (files: Files, folder: string): string[] => {
  const top = foldersUp(folder).find((at) => indexesOf(files, at).length > 0);
  return top === undefined ? [] : submodulesIn(files, top);
};

/** What is reached by a link is no submodule for git, and could lead here again. */
const submodulesIn = (files: Files, top: string): string[] =>
  indexesOf(files, top)
    .flatMap((index) => linksIn(files.readBytes(index)))
    .map((path) => inFolder(top, path))
    .filter((folder) => [undefined, folder].includes(files.realpath(folder)))
    .flatMap((folder) => [folder, ...submodulesIn(files, folder)]);

/** The index of the work tree at a folder, and indexes that it shares. */
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
/** Bytes of the ids of objects. */
const IDS = [20, 32];

/** The paths of the submodules in an index; the ids of its objects may have either length. Source: git 2.39, gitformat-index(5). */
const linksIn = (index: Buffer = NOTHING): string[] => {
  const isMeant = index.length > 12 && index.toString('latin1', 0, 4) === 'DIRC';
  if (!isMeant || !mayHaveLinks(index)) return [];
  return IDS.reduce<string[] | undefined>((links, idBytes) => links ?? readEntries(index, idBytes), undefined) ?? [];
};

/** False only if no entry has that mode, which is found quickly: most repositories have no submodules, and some half a million files. */
const mayHaveLinks = (index: Buffer): boolean => {
  const end = Buffer.from([LINK >> 8, 0]); // of its four bytes; zeros come first, which are everywhere
  let at = index.indexOf(end);
  for (let i = 0; i < MOST_LOOKS && at >= 0 && (index[at - 1] !== 0 || index[at - 2] !== 0); i++)
    at = index.indexOf(end, at + 1);
  return at >= 0;
};

/** Ids of objects have the two bytes by chance too, once in some hundred entries. */
const MOST_LOOKS = 100_000;

/** Undefined if the entries are not of this form. */
const readEntries = (index: Buffer, idBytes: number): string[] | undefined => {
  const [version, count] = [index.readUInt32BE(4), index.readUInt32BE(8)];
  const links: string[] = [];
  let [at, path] = [12, NOTHING];
  for (let i = 0; i < count; i++) {
    const flagsAt = at + FACTS + idBytes;
    if (flagsAt + 4 > index.length) return undefined;
    const mode = index.readUInt32BE(at + 24);
    const pathAt = flagsAt + (index.readUInt16BE(flagsAt) & EXTENDED ? 4 : 2);
    const kept = version === 4 ? readPrefix(index, pathAt, path) : { from: pathAt, prefix: NOTHING };
    const length = index.readUInt16BE(flagsAt) & LENGTH;
    const end = length < LENGTH ? kept.from + length - kept.prefix.length : index.indexOf(0, kept.from);
    if (!MODES.has(mode) || end <= kept.from || index[end] !== 0) return undefined;
    if (version === 4 || mode === LINK) path = Buffer.concat([kept.prefix, index.subarray(kept.from, end)]);
    if (mode === LINK) links.push(path.toString('utf8'));
    at = version === 4 ? end + 1 : at + ((end - at + 8) & ~7);
  }
  return links;
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
