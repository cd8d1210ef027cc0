/** Which calls a connection has open, and which of its threads have none. */

/**
 * `begin`: a call on a thread. `threadOf`: the thread of an open call. `end`: the call is over; returns its thread where that has no other
 * now. `isUnused`: the thread has had no call since the end of that call. `unused`: the threads without a call, the longest unused first.
 * `forget`: the thread is no longer counted.
 */
export type ThreadUse<K> = {
  begin: (callId: string, thread: K) => void;
  threadOf: (callId: string) => K | undefined;
  end: (callId: string) => { thread: K; isUnused: () => boolean } | undefined;
  unused: () => Iterable<K>;
  forget: (thread: K) => void;
};

/** Changed in place: a connection may have tens of thousands of threads, and a call must not cost more for it. */
export const threadUse = <K>(): ThreadUse<K> => {
  const threads = new Map<string, K>();
  const counts = new Map<K, number>();
  const unused = new Map<K, object>(); // in the order in which their last call ended
  return {
    begin: (callId, thread) => {
      threads.set(callId, thread);
      counts.set(thread, (counts.get(thread) ?? 0) + 1);
      unused.delete(thread);
    },
    threadOf: (callId) => threads.get(callId),
    end: (callId) => {
      const thread = threads.get(callId);
      if (thread === undefined || !threads.delete(callId)) return undefined;
      const left = (counts.get(thread) ?? 1) - 1;
      if (left > 0) {
        counts.set(thread, left);
        return undefined;
      }
      counts.delete(thread);
      const since = {};
      unused.set(thread, since);
      return { thread, isUnused: () => unused.get(thread) === since };
    },
    unused: () => unused.keys(),
    forget: (thread) => void unused.delete(thread),
  };
};
