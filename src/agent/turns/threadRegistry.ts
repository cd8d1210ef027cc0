/** Which threads a connection knows, and which of them a call belongs to. */
import type { ThreadRef } from '../../protocol/codex/operations';
import type { ThreadSettings } from '../../protocol/codex/settings';
import { toUuid } from '../../protocol/codex/toUuid';
import type { TokenUsage } from '../../protocol/model/events';
import { CannotBegin } from './rejection';

/** A thread as its connection knows it. The entry itself stands for the thread, from the first call on. */
export type ThreadEntry<T> = {
  /** Absent until it is known. */
  readonly id?: string;
  /** Of a thread that was started here. */
  readonly settings?: ThreadSettings;
  /** Present while the engine has the thread open. */
  readonly thread?: T;
  /** The tokens that it has used, as they were last reported. */
  readonly used?: TokenUsage;
};

export type ThreadRegistry<T> = {
  /**
   * The entry of the thread that a call belongs to, which becomes the newest of the connection; undefined if the newest is asked for and there is
   * none. An unknown id gets an entry too: opening it shows whether there is such a thread.
   */
  resolve: (ref: ThreadRef) => ThreadEntry<T> | undefined;
  /** The entry of a known thread, without making it the newest. */
  find: (ref: ThreadRef) => ThreadEntry<T> | undefined;
  /**
   * The thread is open, and found by its id from now on. Throws CannotBegin for a new thread with the id of an existing thread: it would get the
   * replies to that thread, and an engine whose server lies, or knows the id, could take it over.
   */
  keep: (entry: ThreadEntry<T>, thread: T) => void;
  /** The thread could not be opened, or was closed; the thread used before it is the newest again. */
  forget: (entry: ThreadEntry<T>) => void;
  /** The tokens that the thread has used, as they are reported now. */
  count: (entry: ThreadEntry<T>, used: TokenUsage | undefined) => void;
  /** The thread is no longer open, and is opened again when needed. The newest stays known by its id, others are forgotten. */
  release: (entry: ThreadEntry<T>) => void;
};

type Entry<T> = { -readonly [K in keyof ThreadEntry<T>]: ThreadEntry<T>[K] };

/**
 * The registry of one connection.
 * It is changed in place, and only here: a connection may have tens of thousands of threads, and a copy of them for each call
 * would make a call cost as much as there are threads.
 * @param stored threads that are open already, in the order of their last use
 */
export const threadRegistry = <T extends { id: string }>(stored: readonly T[] = []): ThreadRegistry<T> => {
  const byId = new Map<string, Entry<T>>();
  const byUse = new Set<Entry<T>>(); // in the order of their last use
  let newest: Entry<T> | undefined; // the last of `byUse`, which a set cannot give without a walk
  const use = (entry: Entry<T>): Entry<T> => {
    byUse.delete(entry);
    byUse.add(entry);
    newest = entry;
    return entry;
  };
  const keep = (entry: Entry<T>, thread: T): void => {
    if (entry.id === undefined && byId.has(thread.id)) throw new CannotBegin(takenText(thread.id));
    Object.assign(entry, { id: thread.id, thread });
    byId.set(thread.id, entry);
    if (!byUse.has(entry)) use(entry);
  };
  const forget = (entry: Entry<T>): void => {
    byUse.delete(entry);
    entry.thread = undefined;
    if (entry.id !== undefined) byId.delete(entry.id);
    if (newest === entry) newest = [...byUse].at(-1);
  };
  for (const thread of stored) keep({}, thread);
  const resolve = (ref: ThreadRef): Entry<T> | undefined => {
    const entry = 'newest' in ref ? newest : entryOf(byId, ref);
    return entry && use(entry);
  };
  const find = (ref: ThreadRef) => ('newest' in ref ? newest : knownOf(byId, ref));
  return { resolve, find, keep, forget, count, release: (entry) => (entry === newest ? unload(entry) : forget(entry)) };
};

const count = <T>(entry: Entry<T>, used: TokenUsage | undefined): void => {
  entry.used = used;
};

const takenText = (id: string): string =>
  `the engine opened a new thread as ${id}, which is a thread that is there already; nothing was run: see whether the Codex, or the executor that it runs on, can be trusted`;

const unload = <T>(entry: Entry<T>): void => {
  entry.thread = undefined;
};

const knownOf = <T>(byId: Map<string, Entry<T>>, ref: Exclude<ThreadRef, { newest: true }>): Entry<T> | undefined =>
  'id' in ref ? byId.get(toUuid(ref.id)) : undefined;

/** The entry of a thread that is started, or named by its id. */
const entryOf = <T>(byId: Map<string, Entry<T>>, ref: Exclude<ThreadRef, { newest: true }>): Entry<T> => {
  if ('start' in ref) return { settings: ref.start };
  const id = toUuid(ref.id);
  const entry = byId.get(id) ?? { id };
  byId.set(id, entry);
  return entry;
};
