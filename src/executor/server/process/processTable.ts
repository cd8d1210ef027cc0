/** Owns the table of a session's processes, by the ids their client gave them. */
import { Subject } from 'rxjs';
import type { WriteStatus } from '../../../protocol/exec';
import { INVALID_REQUEST, RpcError } from '../../../protocol/jsonrpc';
import type { Process } from '../../backend';
import type { Ask } from '../clientConnection';
import type { ProcessLimits } from './processLimits';
import { type RecentMap, recentMap } from './recentMap';

/** Who waits to be told what became of a write, and what that is, once it is known. */
export type Outcome = { asks: Ask[]; status?: WriteStatus };
/** `isLast` closes the input, behind its bytes. */
export type Write = { chunk: Uint8Array; outcome: Outcome; isLast?: true };

/**
 * One process of a session, from the request to start it until it is forgotten. `process` is there once it has started;
 * `write$` is the wire of requests into it, and `pendingBytes` of those wait for it; `written` knows writes by their ids.
 */
export type Slot = {
  processId: string;
  needsWriteId: boolean;
  process?: Process;
  cancelled?: true;
  over?: true;
  write$: Subject<Write>;
  pendingBytes: number;
  written: RecentMap<Outcome>;
};

/** `take` throws when the id is taken, or too many run already. */
export type Slots = {
  take: (processId: string, needsWriteId: boolean) => Slot;
  find: (processId: string) => Slot | undefined;
  free: (slot: Slot) => void;
};

export const openSlots = ({ maxProcesses, writeIds }: Pick<ProcessLimits, 'maxProcesses' | 'writeIds'>): Slots => {
  const slots = new Map<string, Slot>();
  const running = () => [...slots.values()].filter(({ over }) => !over).length;
  return {
    take: (processId, needsWriteId) => {
      if (slots.has(processId)) throw new RpcError(INVALID_REQUEST, `process ${processId} already exists`);
      if (running() >= maxProcesses) {
        throw new RpcError(INVALID_REQUEST, `too many processes: ${maxProcesses} run already`);
      }
      const slot: Slot = {
        processId,
        needsWriteId,
        write$: new Subject(),
        pendingBytes: 0,
        written: recentMap(writeIds),
      };
      slots.set(processId, slot);
      return slot;
    },
    find: (processId) => slots.get(processId),
    free: ({ processId }) => slots.delete(processId),
  };
};
