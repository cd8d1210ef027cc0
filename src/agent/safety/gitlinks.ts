/**
 * Reads from git's index which folders of a work tree are repositories of their own. Own code: git is not asked, because it could run programs that the
 * repository names; only two members of each entry are read.
 */

/** Of the mode of a gitlink, git looks at these bits only. */
const KIND = 0o170000;
/** A commit of another repository. */
const GITLINK = 0o160000;
/** A folder whose entries are left out of a sparse index. */
const FOLDER = 0o040000;
const OID_AT = 40;
const MODE_AT = 24;
const EXTENDED = 0x4000;
/** The length of a name; the greatest value stands for every longer one too. */
const LENGTH = 0xfff;

/**
 * The paths of the gitlinks in an index, relative to the work tree. Undefined where it cannot be read completely: an unknown version, a
 * split or a sparse index. What is not an index with one of the hashes has no gitlinks with it.
 * @param hashes the bytes of an object name, 20 for SHA-1 and 32 for SHA-256; both where it is uncertain which of them git uses
 * Source: gitformat-index(5), versions 2 to 4; git 2.39, read-cache.c.
 */
export const gitlinksOf = (index: Buffer, hashes: readonly number[]): string[] | undefined => {
  const version = index.length > 12 && index.toString('latin1', 0, 4) === 'DIRC' ? index.readUInt32BE(4) : 0;
  if (version < 2 || version > 4) return undefined;
  const count = index.readUInt32BE(8);
  const readings = hashes.flatMap((oidBytes) => readEntries(index, { version, oidBytes, count }));
  return readings.length === 0 || readings.includes('incomplete') ? undefined : readings.flat();
};

type Shape = { version: number; oidBytes: number; count: number };

/** One reading; none where git could not read the entries either, because they end too early. */
const readEntries = (index: Buffer, shape: Shape): (readonly string[] | 'incomplete')[] => {
  try {
    return [readAll(index, shape)];
  } catch {
    return [];
  }
};

const readAll = (index: Buffer, shape: Shape): readonly string[] | 'incomplete' => {
  const links: string[] = [];
  let at = 12;
  let path = '';
  let isSparse = false;
  for (let i = 0; i < shape.count; i++) {
    const mode = index.readUInt32BE(at + MODE_AT);
    const entry = readName(index, at, { ...shape, before: path });
    path = entry.path;
    if ((mode & KIND) === GITLINK) links.push(path);
    isSparse ||= mode === FOLDER;
    at = entry.end;
  }
  return isSparse || hasLinkExtension(index, at, shape.oidBytes) ? 'incomplete' : links;
};

/**
 * Version 4 omits what a name has in common with the one before; the others pad entries to a multiple of 8 bytes. A name is as long as
 * its flags say, whatever bytes are in it: a reader that ended it at a NUL would find other entries than git.
 */
const readName = (index: Buffer, at: number, { version, oidBytes, before }: Shape & { before: string }) => {
  const flagsAt = at + OID_AT + oidBytes;
  const flags = index.readUInt16BE(flagsAt);
  const nameAt = flagsAt + (flags & EXTENDED ? 4 : 2);
  const { value, end: from } = version === 4 ? readOffset(index, nameAt) : { value: before.length, end: nameAt };
  const kept = before.slice(0, Math.max(0, before.length - value));
  const length = flags & LENGTH;
  const end = length < LENGTH ? from + length - kept.length : nulAfter(index, from);
  if (end < from - 1) throw new RangeError('a name shorter than what it has in common');
  return {
    path: kept + index.toString('latin1', from, end), // bytes, so that lengths fit
    end: version === 4 ? end + 1 : at + Math.ceil((end + 1 - at) / 8) * 8,
  };
};

const nulAfter = (index: Buffer, from: number): number => {
  const nul = index.indexOf(0, from);
  return nul < 0 ? index.length : nul;
};

/** Git takes a longer number for none. */
const MAX_OFFSET = 2 ** 57;

/** The number of bytes left out, in the encoding of offsets in packs. */
const readOffset = (index: Buffer, at: number): { value: number; end: number } => {
  let end = at;
  let byte = index.readUInt8(end++);
  let value = byte & 127;
  while (byte & 128) {
    if (value + 1 >= MAX_OFFSET) return { value: 0, end: at };
    byte = index.readUInt8(end++);
    value = (value + 1) * 128 + (byte & 127);
  }
  return { value, end };
};

/** A split index has most of its entries in another file. */
const hasLinkExtension = (index: Buffer, from: number, oidBytes: number): boolean => {
  for (let at = from; at + 8 <= index.length - oidBytes; at += 8 + index.readUInt32BE(at + 4)) {
    if (index.toString('latin1', at, at + 4) === 'link') return true;
  }
  return false;
};
