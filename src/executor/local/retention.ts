/** The output of processes that is retained for later reads, within limits per process and over all of them. Owns its stores. */
import { Subject } from 'rxjs';
import type { OutputChunk, OutputPage, ProcessEvent, ProcessSpec, ReadRequest } from '../../protocol/exec/process';
import type { Backpressure } from '../../streams/backpressure';
import { canEvict, drop, emptyStore, evict, type Pool, pageOf, push, release, type Store } from './store';

/**
 * `maxBytes` and `maxChunks` per process, `maxTotalBytes` over all. Beyond them the oldest chunks are evicted, beyond the total
 * those of the process that has most. In the total each chunk counts a fixed overhead beside its bytes.
 */
export type RetentionLimits = { maxBytes: number; maxChunks: number; maxTotalBytes: number };

/** Source: codex exec-server 0.142.0 retains 1 MiB per process; it has no limit over all. */
export const RETENTION: RetentionLimits = { maxBytes: 1_048_576, maxChunks: 16_384, maxTotalBytes: 67_108_864 };

/** Beyond the total, a process with this much unacknowledged output waits: its reader acknowledges twice as often. */
const MAX_UNACKNOWLEDGED_BYTES = 131_072;

/**
 * The retained output of one process. `page` is the result of a read at this moment. `backpressure` is full while the process has
 * to wait, because too much of its output is unacknowledged.
 */
export type Retained = {
  add: (event: ProcessEvent) => void;
  acknowledge: (throughSeq: number) => void;
  page: (from: Omit<ReadRequest, 'waitMs'>) => OutputPage;
  backpressure: Backpressure;
  release: () => void;
};

/** Opens a store per process; all of them share `maxTotalBytes`. With `holdOutput` it evicts only what was acknowledged. */
export type OpenStore = (spec: Pick<ProcessSpec, 'holdOutput' | 'processId'>) => Retained;

/** Makes the stores of the processes of one server, within these limits. */
export const retention = (limits: RetentionLimits): OpenStore => {
  const pool: Pool = { stores: new Set(), cost: 0 };
  return (spec) => {
    const store = emptyStore(spec);
    pool.stores.add(store);
    const drain$ = new Subject<void>(); // the wire from acknowledgements to the process that waits
    const isFull = () => holdsTooMuch(limits, pool, store);
    return {
      add: (event) => {
        store.topSeq = event.seq;
        if (event.kind === 'output') retain(limits, pool, { store, chunk: event });
        else if (event.kind === 'exited') store.exitCode = event.exitCode;
        else if (event.kind === 'closed') store.closed = true;
      },
      acknowledge: (throughSeq) => {
        const wasFull = isFull();
        release(store, throughSeq);
        relieve(limits, pool);
        if (wasFull && !isFull()) drain$.next();
      },
      page: (from) => pageOf(store, from),
      backpressure: { isFull, drain$ },
      release: () => drop(pool, store),
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
