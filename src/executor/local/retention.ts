/** Owns the output that is kept for those who read it later, within limits per process and over all of them. */
import type { Evicted, OutputChunk, OutputPage, ProcessEvent, ReadRequest } from '../../protocol/exec';

/**
 * `maxBytes` and `maxChunks` per process, `maxTotalBytes` over all; beyond them the oldest chunks go first, over all
 * those of the process that keeps most. A chunk counts with what it costs beside its bytes.
 */
export type RetentionLimits = { maxBytes: number; maxChunks: number; maxTotalBytes: number };

/** Source: codex exec-server 0.142.0 keeps 1 MiB per process; it has no limit over all. */
export const RETENTION: RetentionLimits = { maxBytes: 1_048_576, maxChunks: 16_384, maxTotalBytes: 67_108_864 };

const CHUNK_COST_BYTES = 128;

/** The kept output of one process. `page` answers a read from what is there now. */
export type Kept = {
  add: (event: ProcessEvent) => void;
  page: (from: Omit<ReadRequest, 'waitMs'>) => OutputPage;
  release: () => void;
};

type Store = {
  chunks: OutputChunk[];
  first: number;
  bytes: number;
  cost: number;
  evicted: Evicted;
  topSeq: number;
  exitCode: number | null;
  closed: boolean;
};

/** Opens a store per process; all of them share `maxTotalBytes`. */
export const retention = ({ maxBytes, maxChunks, maxTotalBytes }: RetentionLimits): (() => Kept) => {
  const stores = new Set<Store>();
  let total = 0;
  const account = (store: Store, cost: number) => {
    store.cost += cost;
    total += cost;
  };
  const evict = (store: Store) => {
    const { seq, chunk } = store.chunks[store.first] as OutputChunk;
    store.first += 1;
    store.bytes -= chunk.length;
    store.evicted = { throughSeq: seq, bytes: store.evicted.bytes + chunk.length };
    account(store, -chunk.length - CHUNK_COST_BYTES);
    if (store.first > 64 && store.first * 2 > store.chunks.length) {
      store.chunks = store.chunks.slice(store.first); // now and then, so that eviction stays cheap
      store.first = 0;
    }
  };
  const keep = (store: Store, chunk: OutputChunk) => {
    store.chunks.push(chunk);
    store.bytes += chunk.chunk.length;
    account(store, chunk.chunk.length + CHUNK_COST_BYTES);
    while (store.bytes > maxBytes || store.chunks.length - store.first > maxChunks) evict(store);
    while (total > maxTotalBytes) evict(greatestOf(stores));
  };
  return () => {
    const store = emptyStore();
    stores.add(store);
    return {
      add: (event) => {
        store.topSeq = event.seq;
        if (event.kind === 'output') keep(store, event);
        else if (event.kind === 'exited') store.exitCode = event.exitCode;
        else if (event.kind === 'closed') store.closed = true;
      },
      page: (from) => pageOf(store, from),
      release: () => {
        if (stores.delete(store)) total -= store.cost;
      },
    };
  };
};

const emptyStore = (): Store => ({
  chunks: [],
  first: 0,
  bytes: 0,
  cost: 0,
  evicted: { throughSeq: 0, bytes: 0 },
  topSeq: 0,
  exitCode: null,
  closed: false,
});

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

/** Whole chunks, at least one; seq ascends, so the first is found by halves. */
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
  return chunks.slice(low, end);
};
