/**
 * The output of processes that is retained for later reads, within limits per process and over all of them. Owns its stores, which
 * change in place: a copy for each chunk would cost more than the chunk.
 */
import type { Evicted, OutputChunk, OutputPage, ProcessEvent, ReadRequest } from '../../protocol/exec';

/**
 * `maxBytes` and `maxChunks` per process, `maxTotalBytes` over all. Beyond them the oldest chunks are evicted, beyond the total
 * those of the process that has most. A chunk counts with what it costs beside its bytes.
 */
export type RetentionLimits = { maxBytes: number; maxChunks: number; maxTotalBytes: number };

/** Source: codex exec-server 0.142.0 retains 1 MiB per process; it has no limit over all. */
export const RETENTION: RetentionLimits = { maxBytes: 1_048_576, maxChunks: 16_384, maxTotalBytes: 67_108_864 };

const CHUNK_COST_BYTES = 128;

/** The retained output of one process. `page` is the result of a read at this moment. */
export type Retained = {
  add: (event: ProcessEvent) => void;
  page: (from: Omit<ReadRequest, 'waitMs'>) => OutputPage;
  release: () => void;
};

/** `chunks` before `first` are evicted; `cost` is what the store counts in the total. */
type Store = {
  chunks: (OutputChunk | undefined)[];
  first: number;
  bytes: number;
  cost: number;
  evicted: Evicted;
  topSeq: number;
  exitCode: number | null;
  closed: boolean;
};

/** The stores of all processes, and what they cost together. */
type Pool = { stores: Set<Store>; cost: number };

/** Opens a store per process; all of them share `maxTotalBytes`. */
export const retention = (limits: RetentionLimits): (() => Retained) => {
  const pool = emptyPool();
  return () => {
    const store = emptyStore();
    pool.stores.add(store);
    return {
      add: (event) => {
        store.topSeq = event.seq;
        if (event.kind === 'output') retain(limits, pool, { store, chunk: event });
        else if (event.kind === 'exited') store.exitCode = event.exitCode;
        else if (event.kind === 'closed') store.closed = true;
      },
      page: (from) => pageOf(store, from),
      release: () => {
        if (pool.stores.delete(store)) pool.cost -= store.cost;
      },
    };
  };
};

const emptyPool = (): Pool => ({ stores: new Set(), cost: 0 });

const emptyStore = (): Store => ({
  ...{ chunks: [], first: 0, bytes: 0, cost: 0 },
  ...{ evicted: { throughSeq: 0, bytes: 0 }, topSeq: 0, exitCode: null, closed: false },
});

const retain = (
  { maxBytes, maxChunks, maxTotalBytes }: RetentionLimits,
  pool: Pool,
  { store, chunk }: { store: Store; chunk: OutputChunk },
): void => {
  store.chunks.push(chunk);
  account(pool, store, chunk.chunk.length);
  while (store.bytes > maxBytes || store.chunks.length - store.first > maxChunks) evict(pool, store);
  while (pool.cost > maxTotalBytes) evict(pool, greatestOf(pool.stores));
};

/** Counts a chunk of so many bytes; a negative number takes one off. */
const account = (pool: Pool, store: Store, bytes: number): void => {
  const cost = bytes + Math.sign(bytes) * CHUNK_COST_BYTES;
  store.bytes += bytes;
  store.cost += cost;
  pool.cost += cost;
};

const evict = (pool: Pool, store: Store): void => {
  const { seq, chunk } = store.chunks[store.first] as OutputChunk;
  store.chunks[store.first] = undefined; // else its bytes grow old in the heap, and are collected late
  store.first += 1;
  store.evicted = { throughSeq: seq, bytes: store.evicted.bytes + chunk.length };
  account(pool, store, -chunk.length);
  if (store.first > 64 && store.first * 2 > store.chunks.length) {
    store.chunks = store.chunks.slice(store.first); // now and then, so that eviction stays cheap
    store.first = 0;
  }
};

const greatestOf = (stores: Iterable<Store>): Store =>
  [...stores].reduce((greatest, store) => (store.cost > greatest.cost ? store : greatest));

const pageOf = (store: Store, { afterSeq, maxBytes }: Omit<ReadRequest, 'waitMs'>): OutputPage => {
  const chunks = chunksAfter(store, afterSeq, maxBytes ?? Number.POSITIVE_INFINITY);
  const last = chunks.at(-1);
  return {
    chunks,
    nextSeq: (maxBytes !== undefined && last ? last.seq : store.topSeq) + 1,
    exited: store.exitCode !== null,
    exitCode: store.exitCode,
    closed: store.closed,
    failure: null,
    ...(store.evicted.throughSeq > afterSeq && { evicted: store.evicted }),
  };
};

/** Whole chunks, at least one. `seq` ascends, so the first is found by bisection. */
const chunksAfter = ({ chunks, first }: Store, afterSeq: number, maxBytes: number): OutputChunk[] => {
  let [low, high] = [first, chunks.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((chunks[middle] as OutputChunk).seq > afterSeq) high = middle;
    else low = middle + 1;
  }
  let end = low;
  for (let bytes = 0; end < chunks.length; end += 1) {
    bytes += (chunks[end] as OutputChunk).chunk.length;
    if (bytes > maxBytes && end > low) break;
  }
  return chunks.slice(low, end) as OutputChunk[];
};
