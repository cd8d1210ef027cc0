/** The journal of a patch in progress, by which it can be rolled back. */
import { basename, dirname } from 'node:path';
import { type Owner, readOwner } from '../../io/files/owner';
import { isObject, isText, parseJson } from '../../protocol/jsonrpc/json';
import type { FilePlan } from '../patch/plan';

/** One file of a patch. */
export type JournalEntry = {
  folder: string;
  name: string;
  /** The name of its new content until it is in place. */
  staged: string;
  /** The name of its old content. */
  kept: string;
  /** The digest of the old content; null if there was no file. */
  oldDigest: string | null;
  /** The digest of the new content; null if the file is removed. */
  newDigest: string | null;
};

/** The process that applies a patch, and what it changes. */
export type Journal = Owner & {
  version: 1;
  id: string;
  /** The folders that it makes, outermost first. */
  folders: readonly string[];
  entries: readonly JournalEntry[];
};

/** Identifies contents: the same bytes have the same digest. */
export type Digest = (bytes: Uint8Array) => string;

/** The names begin with a dot and end like no source file, so that tools that watch a folder ignore them. */
export const toEntry = (
  id: string,
  digest: Digest,
  { plan, index }: { plan: FilePlan; index: number },
): JournalEntry => ({
  folder: dirname(plan.real),
  name: basename(plan.real),
  staged: `.codex-rx-${id}-${index}.new`,
  kept: `.codex-rx-${id}-${index}.old`,
  oldDigest: plan.before ? digest(plan.before.bytes) : null,
  newDigest: plan.after ? digest(plan.after.bytes) : null,
});

/** Reads a journal; undefined for a text that is not one. A journal is complete before it gets its name. */
export const readJournal = (text: string): Journal | undefined => {
  const value = parseJson(text);
  return isJournal(value) ? { ...readOwner(value), version: 1, id: value.id, ...partsOf(value) } : undefined;
};

const partsOf = ({ folders, entries }: Journal): Pick<Journal, 'folders' | 'entries'> => ({ folders, entries });

const isJournal = (value: unknown): value is Journal =>
  isObject(value) &&
  value.version === 1 &&
  isText(value.id) &&
  isText(value.host) &&
  Number.isInteger(value.pid) &&
  isListOf(isText)(value.folders) &&
  isListOf(isEntry)(value.entries);

const isEntry = (value: unknown): value is JournalEntry =>
  isObject(value) &&
  [value.folder, value.name, value.staged, value.kept].every(isText) &&
  [value.oldDigest, value.newDigest].every((digest) => digest === null || isText(digest));

const isListOf =
  <T>(is: (value: unknown) => value is T) =>
  (value: unknown): value is T[] =>
    Array.isArray(value) && value.every(is);
