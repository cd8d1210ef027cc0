/** The output of processes that is retained for later reads, within limits per process and over all of them. Owns its stores. */
import { Subject } from 'rxjs';
import type {
  Evicted,
  OutputChunk,
  OutputPage,
  ProcessEvent,
  ProcessSpec,
  ReadRequest,
} from '../../protocol/exec/process';
import type { Backpressure } from '../../streams/backpressure';

/** How much output is retained. The oldest chunks beyond a limit are evicted; beyond the total, the oldest chunks of the process that has most. */
type RetentionLimits = {
  /** Per process. */
  maxBytes: number;
  /** Per process. */
  maxChunks: number;
  /** Over all processes. Each chunk counts a fixed overhead besides its bytes. */
  maxTotalBytes: number;
};

/** Source: codex exec-server 0.142.0 retains 1 MiB per process; it has no limit over all. */
export const RETENTION: RetentionLimits = { maxBytes: 1_048_576, maxChunks: 16_384, maxTotalBytes: 67_108_864 };

/** Beyond the total, a process with this much unacknowledged output waits: its reader acknowledges twice as often. */
const MAX_UNACKNOWLEDGED_BYTES = 131_072;

/** The retained output of one process. */
export type Retained = {
  add: (event: ProcessEvent) => void;
  acknowledge: (throughSeq: number) => void;
  /** The result of a read at this moment. */
  page: (from: Omit<ReadRequest, 'waitMs'>) => OutputPage;
  /** Full while the process has to wait, because too much of its output is unacknowledged. */
  backpressure: Backpressure;
  release: () => void;
};

/** Opens a store per process; all of them share `maxTotalBytes`. With `holdOutput` it evicts only what was acknowledged. */
export type OpenStore = (spec: Pick<ProcessSpec, 'holdOutput' | 'processId'>) => Retained;

/** Makes the stores of the processes of one server, within these limits. */
export const retention = (limits: RetentionLimits): OpenStore => {
  const shared: Pool = { stores: new Set(), cost: 0 };
  return (spec) => {
    const store = emptyStore(spec);
    shared.stores.add(store);
    const drain$ = new Subject<void>(); // the wire from acknowledgements to the process that waits
    const isFull = () => holdsTooMuch(limits, shared, store);
    return {
      add: (event) => {
        store.topSeq = event.seq;
        if (event.kind === 'output') retain(limits, shared, { store, chunk: event });
        else if (event.kind === 'exited') store.exitCode = event.exitCode;
        else if (event.kind === 'closed') store.closed = true;
      },
      acknowledge: (throughSeq) => {
        const wasFull = isFull();
        release(store, throughSeq);
        relieve(limits, shared);
        if (wasFull && !isFull()) drain$.next();
      },
      page: (from) => pageOf(store, from),
      backpressure: { isFull, drain$ },
      release: () => drop(shared, store),
    };
  };
};

const holdsTooMuch = (
  { maxBytes, maxChunks, maxTotalBytes }: RetentionLimits,
  pool: Pool,
  { unacknowledged }: Store,
): boolean =>
  unacknowledged !== undefined &&
  (unacknowledged.bytes >= maxBytes ||
    unacknowledged.chunks >= maxChunks ||
    (pool.cost > maxTotalBytes && unacknowledged.bytes >= Math.min(MAX_UNACKNOWLEDGED_BYTES, maxBytes)));

const retain = (limits: RetentionLimits, pool: Pool, { store, chunk }: { store: Store; chunk: OutputChunk }): void => {
  push(pool, store, chunk);
  while (hasTooMuch(limits, store) && canEvict(store)) evict(pool, store);
  relieve(limits, pool);
};

const hasTooMuch = ({ maxBytes, maxChunks }: RetentionLimits, { bytes, chunks, first }: Store): boolean =>
  bytes > maxBytes || chunks.length - first > maxChunks;

/** Evicts what the total does not allow, as far as it may be evicted. */
const relieve = ({ maxTotalBytes }: RetentionLimits, pool: Pool): void => {
  while (pool.cost > maxTotalBytes) {
    const greatest = greatestOf([...pool.stores].filter(canEvict));
    if (greatest === undefined) return;
    evict(pool, greatest);
  }
};

const greatestOf = (stores: readonly Store[]): Store | undefined =>
  stores.reduce<Store | undefined>(
    (greatest, store) => (greatest === undefined || store.cost > greatest.cost ? store : greatest),
    undefined,
  );

/** What each chunk adds to the total besides its bytes. */
const CHUNK_COST_BYTES = 128;

/** The retained output of one process. It changes in place: a copy for each chunk would cost more than the chunk. */
export type Store = {
  /** Chunks before `first` are evicted. */
  chunks: (OutputChunk | undefined)[];
  first: number;
  bytes: number;
  /** What the store adds to the total. */
  cost: number;
  evicted: Evicted;
  topSeq: number;
  exitCode: number | null;
  closed: boolean;
  /** Output that is not evicted; undefined if the reader does not acknowledge. */
  unacknowledged: { afterSeq: number; bytes: number; chunks: number } | undefined;
};

/** The stores that share a limit. */
export type Pool = {
  stores: Set<Store>;
  /** The cost of all stores together. */
  cost: number;
};

/** The retained output of a process that has written nothing. */
export const emptyStore = ({ holdOutput }: Pick<ProcessSpec, 'holdOutput'>): Store => ({
  chunks: [],
  first: 0,
  bytes: 0,
  cost: 0,
  evicted: { throughSeq: 0, bytes: 0 },
  topSeq: 0,
  exitCode: null,
  closed: false,
  unacknowledged: holdOutput ? { afterSeq: 0, bytes: 0, chunks: 0 } : undefined,
});

/** Takes a store with all it retains out of the pool. */
export const drop = (pool: Pool, store: Store): void => {
  if (pool.stores.delete(store)) pool.cost -= store.cost;
};

/** Adds a chunk as the newest. */
export const push = (pool: Pool, store: Store, chunk: OutputChunk): void => {
  store.chunks.push(chunk);
  account(pool, store, chunk.chunk.length);
  if (store.unacknowledged === undefined) return;
  store.unacknowledged.bytes += chunk.chunk.length;
  store.unacknowledged.chunks += 1;
};

/** Marks chunks up to a seq as received; what comes after it stays unacknowledged. */
export const release = (store: Store, throughSeq: number): void => {
  if (store.unacknowledged === undefined || throughSeq <= store.unacknowledged.afterSeq) return;
  const seq = Math.min(throughSeq, store.topSeq);
  const received = store.chunks.slice(indexAfter(store, store.unacknowledged.afterSeq), indexAfter(store, seq));
  store.unacknowledged = {
    afterSeq: seq,
    bytes: store.unacknowledged.bytes - received.reduce((bytes, chunk) => bytes + (chunk?.chunk.length ?? 0), 0),
    chunks: store.unacknowledged.chunks - received.length,
  };
};

/** Whether its oldest chunk may be evicted. */
export const canEvict = ({ chunks, first, unacknowledged }: Store): boolean => {
  const oldest = chunks[first];
  return oldest !== undefined && (unacknowledged === undefined || oldest.seq <= unacknowledged.afterSeq);
};

/** Drops the oldest chunk. */
export const evict = (pool: Pool, store: Store): void => {
  const { seq, chunk } = store.chunks[store.first] as OutputChunk;
  store.chunks[store.first] = undefined; // otherwise its bytes move to the old generation, and are collected late
  store.first += 1;
  store.evicted = { throughSeq: seq, bytes: store.evicted.bytes + chunk.length };
  account(pool, store, -chunk.length);
  if (store.first > 64 && store.first * 2 > store.chunks.length) {
    store.chunks = store.chunks.slice(store.first); // now and then, so that eviction stays cheap
    store.first = 0;
  }
};

/** Counts a chunk of so many bytes; a negative number takes one off. */
const account = (pool: Pool, store: Store, bytes: number): void => {
  const cost = bytes + Math.sign(bytes) * CHUNK_COST_BYTES;
  store.bytes += bytes;
  store.cost += cost;
  pool.cost += cost;
};

/** The result of a read at this moment. */
export const pageOf = (store: Store, { afterSeq, maxBytes }: Omit<ReadRequest, 'waitMs'>): OutputPage => {
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

/** Whole chunks, at least one. */
const chunksAfter = (store: Store, afterSeq: number, maxBytes: number): OutputChunk[] => {
  const { chunks } = store;
  const start = indexAfter(store, afterSeq);
  let end = start;
  for (let bytes = 0; end < chunks.length; end += 1) {
    bytes += (chunks[end] as OutputChunk).chunk.length;
    if (bytes > maxBytes && end > start) break;
  }
  return chunks.slice(start, end) as OutputChunk[];
};

/** The place of the first chunk after a seq; `seq` ascends, so it is found by bisection. */
const indexAfter = ({ chunks, first }: Store, afterSeq: number): number => {
  let [low, high] = [first, chunks.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((chunks[middle] as OutputChunk).seq > afterSeq) high = middle;
    else low = middle + 1;
  }
  return low;
};
