/** Which threads a connection knows, and which of them a call belongs to. */
import { type ThreadRef, type ThreadSettings, toUuid } from '../protocol/codex';

/**
 * A thread as its connection knows it; the entry itself stands for the thread, from the first call on. `id` is there once it
 * is known, `settings` on a thread that was started here, `thread` once the engine has opened it.
 */
export type ThreadEntry<T> = { readonly id?: string; readonly settings?: ThreadSettings; readonly thread?: T };

/**
 * `resolve`: the entry of the thread that a call belongs to, from now on the newest of the connection; undefined where the
 * newest is asked for and there is none. An id that is not known gets an entry too: opening it tells whether there is such a thread.
 * `keep`: the thread is open, and can be found by its id from now on.
 * `forget`: it could not be opened; the thread used before it is the newest again.
 */
export type ThreadRegistry<T> = {
  resolve: (ref: ThreadRef) => ThreadEntry<T> | undefined;
  keep: (entry: ThreadEntry<T>, thread: T) => void;
  forget: (entry: ThreadEntry<T>) => void;
};

type Entry<T> = { id?: string; settings?: ThreadSettings; thread?: T };

/** `byUse` holds the entries in the order of their last use. */
type Known<T> = { byId: Map<string, Entry<T>>; byUse: Set<Entry<T>>; newest: Entry<T> | undefined };

/**
 * The registry of one connection.
 * It is changed in place, and only here: a connection may have tens of thousands of threads, and a copy of them for each call
 * would make a call cost as much as there are threads.
 * @param stored threads that are open already, in the order of their last use
 */
export const threadRegistry = <T extends { id: string }>(stored: readonly T[] = []): ThreadRegistry<T> => {
  const known: Known<T> = { byId: new Map(), byUse: new Set(), newest: undefined };
  const keep = (entry: Entry<T>, thread: T): void => {
    entry.thread = thread;
    entry.id = thread.id;
    known.byId.set(thread.id, entry);
    if (!known.byUse.has(entry)) use(known, entry);
  };
  for (const thread of stored) keep({}, thread);
  return { resolve: (ref) => use(known, find(known, ref)), keep, forget: (entry) => forget(known, entry) };
};

const find = <T>(known: Known<T>, ref: ThreadRef): Entry<T> | undefined => {
  if ('start' in ref) return { settings: ref.start };
  if ('newest' in ref) return known.newest;
  const id = toUuid(ref.id);
  const entry = known.byId.get(id) ?? { id };
  known.byId.set(id, entry);
  return entry;
};

const use = <T>(known: Known<T>, entry: Entry<T> | undefined): Entry<T> | undefined => {
  if (entry === undefined) return undefined;
  known.byUse.delete(entry);
  known.byUse.add(entry);
  known.newest = entry;
  return entry;
};

const forget = <T>(known: Known<T>, entry: Entry<T>): void => {
  known.byUse.delete(entry);
  if (entry.id !== undefined) known.byId.delete(entry.id);
  if (known.newest === entry) known.newest = [...known.byUse].at(-1);
};
