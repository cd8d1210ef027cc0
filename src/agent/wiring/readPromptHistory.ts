/** Reads what `session_configured` reports of history.jsonl. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { isThere } from '../../io/paths/look';
import type { PromptHistory } from '../turns/promptHistory';

const NONE: PromptHistory = { history_log_id: 0, history_entry_count: 0 };
const PIECE_BYTES = 65_536;
const NEWLINE = 0x0a;

/**
 * The inode and the lines of history.jsonl in `codexHome`; zeros where there is no such regular file.
 * Source: Codex 0.28.0, CORE 1.
 */
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
