/** Owns the table of a session's processes, by the ids their client gave them. */
import type { Observable } from 'rxjs';
import { INVALID_REQUEST, RpcError, type WriteStatus } from '../../../protocol';
import type { Process } from '../../backend';

/**
 * One process of a session, from the request to start it until it is forgotten. `process` is there once it has started;
 * `pendingBytes` of input wait for it; `written` has what became of each write by its id, or will.
 */
export type Slot = {
  processId: string;
  needsWriteId: boolean;
  process?: Process;
  cancelled?: true;
  over?: true;
  pendingBytes: number;
  written: Map<string, Observable<WriteStatus>>;
};

/** `take` throws when the id is taken, or too many run already. */
export type Slots = {
  take: (processId: string, needsWriteId: boolean) => Slot;
  find: (processId: string) => Slot | undefined;
  free: (slot: Slot) => void;
};

export const openSlots = (maxProcesses: number): Slots => {
  const slots = new Map<string, Slot>();
  const running = () => [...slots.values()].filter(({ over }) => !over).length;
  return {
    take: (processId, needsWriteId) => {
      if (slots.has(processId)) throw new RpcError(INVALID_REQUEST, `process ${processId} already exists`);
      if (running() >= maxProcesses) {
        throw new RpcError(INVALID_REQUEST, `too many processes: ${maxProcesses} run already`);
      }
      const slot: Slot = { processId, needsWriteId, pendingBytes: 0, written: new Map() };
      slots.set(processId, slot);
      return slot;
    },
    find: (processId) => slots.get(processId),
    free: ({ processId }) => slots.delete(processId),
  };
};
