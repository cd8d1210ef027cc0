/** What engines read of the files of this machine. */
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { factsAt, isFolder, isThere, readIfThere, realPathOf } from '../../io/paths/look';

/** Reads what `session_configured` reports of history.jsonl. */
const NONE: PromptHistory = { history_log_id: 0, history_entry_count: 0 };
const PIECE_BYTES = 65_536;
const NEWLINE = 0x0a;

/** The inode and the lines of history.jsonl in `codexHome`; zeros if there is no such regular file. Source: Codex 0.28.0, CORE 1. */
export const readPromptHistory = (codexHome: string) => (): PromptHistory => {
  const path = join(codexHome, 'history.jsonl');
  try {
    if (!isThere(path)) return NONE; // an error would cost more
    const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const facts = fstatSync(file);
      return facts.isFile() ? { history_log_id: facts.ino, history_entry_count: countLines(file) } : NONE;
    } finally {
      closeSync(file);
    }
  } catch {
    return NONE; // a thread starts without it as well
  }
};

const countLines = (file: number): number => {
  const piece = Buffer.alloc(PIECE_BYTES);
  let lines = 0;
  for (let bytes = readSync(file, piece); bytes > 0; bytes = readSync(file, piece)) {
    for (let at = piece.indexOf(NEWLINE); at !== -1 && at < bytes; at = piece.indexOf(NEWLINE, at + 1)) lines += 1;
  }
  return lines;
};

/** What `session_configured` reports of the file in which Codex keeps the prompts of its user. */
export type PromptHistory = {
  /** The inode of history.jsonl, 0 without the file. */
  history_log_id: number;
  /** The number of its lines. */
  history_entry_count: number;
};

/** The files of a machine. */
export type Disk = {
  /** The content of a file; undefined if there is none. Throws if it cannot be read. */
  readIfThere: (path: string) => string | undefined;
  /** The names in a folder; none if it cannot be read. */
  namesIn: (folder: string) => readonly string[];
  /** The length of a regular file, also behind a link; undefined for anything else. */
  bytesOf: (path: string) => number | undefined;
  /** True for a folder, also behind a link. */
  isDirectory: (path: string) => boolean;
  exists: (path: string) => boolean;
  /** Follows links; the path itself if nothing is there. */
  realpath: (path: string) => string;
  /** Of a Codex home. */
  promptHistory: (codexHome: string) => () => PromptHistory;
};

/** The content of a file; undefined also if it cannot be read. */
export const readIfPossible = (path: string): string | undefined => {
  try {
    return readIfThere(path);
  } catch {
    return undefined;
  }
};

const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return []; // an error lists the names as a help
  }
};

const bytesOf = (path: string): number | undefined => {
  const facts = factsAt(path);
  return facts?.isFile() ? facts.size : undefined;
};

/** The files of this machine. */
export const DISK: Disk = {
  readIfThere,
  namesIn,
  bytesOf,
  isDirectory: isFolder,
  exists: isThere,
  realpath: (path) => realPathOf(path) ?? path,
  promptHistory: readPromptHistory,
};
