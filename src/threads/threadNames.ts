/**
 * The names that people give to threads, in a file that an installed Codex reads and writes too: one line for each time that a thread is named.
 * Source: codex-rs/core, session_index.jsonl, members `id`, `thread_name`, `updated_at`.
 */
import { join } from 'node:path';
import { FileError } from '../io/files/fileError';
import { textOf } from '../protocol/jsonrpc/json';
import { parseLine } from './lines/readRolloutLine';
import type { RolloutPlace } from './listing/rolloutFiles';
import type { ThreadSummary } from './listing/threadSummary';

type Place = Pick<RolloutPlace, 'home'> & { files: Pick<RolloutPlace['files'], 'facts' | 'lines' | 'open'> };

const pathIn = (home: string): string => join(home, 'session_index.jsonl');

/** A larger file is not read: a name is some 150 bytes. */
const MAX_BYTES = 16_777_216;

/** Adds a name. Throws FileError. @param nowMs since 1970 */
export const nameThread = ({ files, home }: Place, { id, name }: { id: string; name: string }, nowMs: number): void => {
  const file = files.open(pathIn(home));
  try {
    file.append(`${JSON.stringify({ id, thread_name: name, updated_at: new Date(nowMs).toISOString() })}\n`);
  } finally {
    file.close();
  }
};

/** The last name of each thread. Throws FileError. */
const namesIn = ({ files, home }: Place): ReadonlyMap<string, string> => {
  const names = new Map<string, string>(); // fills in place: a name may have thousands before it
  if ((files.facts(pathIn(home))?.size ?? MAX_BYTES + 1) > MAX_BYTES) return names;
  for (const lines of files.lines(pathIn(home), () => true)) {
    for (const { id, thread_name: name } of lines.flatMap(parseLine)) names.set(textOf(id), textOf(name));
  }
  return names;
};

/** Threads with their last names. A file of names that cannot be read is as good as none. */
export const withNames =
  (place: Place) =>
  (threads: ThreadSummary[]): ThreadSummary[] => {
    const names = readNames(place);
    if (names.size === 0) return threads;
    return threads.map((one) => {
      const name = names.get(one.id);
      return name ? { ...one, name } : one;
    });
  };

const readNames = (place: Place): ReadonlyMap<string, string> => {
  try {
    return namesIn(place);
  } catch (error) {
    if (error instanceof FileError) return new Map();
    throw error;
  }
};
