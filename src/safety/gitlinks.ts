/**
 * Reads from git's index which folders of a work tree are repositories of their own. Own code: git is not asked, because it could run programs that the
 * repository names; only two members of each entry are read.
 */

/** The mode of an entry that is a commit of another repository. */
const GITLINK = 0o160000;
const OID_AT = 40;
const MODE_AT = 24;
const EXTENDED = 0x4000;

/**
 * The paths of the gitlinks in an index, relative to the work tree. Undefined where it cannot be read completely: an unknown version, a
 * split index.
 * @param oidBytes 20 for SHA-1, 32 for SHA-256
 * Source: gitformat-index(5), versions 2 to 4.
 */
export const gitlinksOf = (index: Buffer, oidBytes: number): string[] | undefined => {
  const version = index.length > 12 && index.toString('latin1', 0, 4) === 'DIRC' ? index.readUInt32BE(4) : 0;
  if (version < 2 || version > 4) return undefined;
  try {
    return readEntries(index, { version, oidBytes, count: index.readUInt32BE(8) });
  } catch {
    return undefined; // it ends too early
  }
};

type Shape = { version: number; oidBytes: number; count: number };

const readEntries = (index: Buffer, shape: Shape): string[] | undefined => {
  const links: string[] = [];
  let at = 12;
  let path = '';
  for (let i = 0; i < shape.count; i++) {
    const mode = index.readUInt32BE(at + MODE_AT);
    const entry = readName(index, at, { ...shape, before: path });
    path = entry.path;
    if (mode === GITLINK) links.push(path);
    at = entry.end;
  }
  return hasLinkExtension(index, at, shape.oidBytes) ? undefined : links;
};

/** Version 4 omits what a name has in common with the one before; the others pad entries to a multiple of 8 bytes. */
const readName = (index: Buffer, at: number, { version, oidBytes, before }: Shape & { before: string }) => {
  const flagsAt = at + OID_AT + oidBytes;
  let from = flagsAt + (index.readUInt16BE(flagsAt) & EXTENDED ? 4 : 2);
  let kept = '';
  if (version === 4) {
    const { value, end } = readOffset(index, from);
    kept = before.slice(0, before.length - value);
    from = end;
  }
  const nul = index.indexOf(0, from);
  if (nul < 0) throw new RangeError('a name without an end');
  const length = nul + 1 - at;
  return {
    path: kept + index.toString('latin1', from, nul), // bytes, so that lengths fit
    end: version === 4 ? nul + 1 : at + Math.ceil(length / 8) * 8,
  };
};

/** The number of bytes left out, in the encoding of offsets in packs. */
const readOffset = (index: Buffer, at: number): { value: number; end: number } => {
  let end = at;
  let byte = index.readUInt8(end++);
  let value = byte & 127;
  while (byte & 128) {
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
