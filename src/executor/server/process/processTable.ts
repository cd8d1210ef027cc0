/** The processes of a session, by the ids their client gave them. Owns their state, which changes in place. */
import type { OutputChunk, OutputPage } from '../../../protocol/exec/process';
import { INVALID_REQUEST, RpcError } from '../../../protocol/jsonrpc/messages';
import type { Process } from '../../backend';
import { toBase64 } from '../method';
import type { ProcessLimits } from '../processLimits';
import type { InputQueue } from './inputQueue';

/** `cancelled`: terminated before it had started. `closed`: its output is over, and still readable. */
type Phase =
  | { kind: 'starting' }
  | { kind: 'cancelled' }
  | { kind: 'running'; process: Process }
  | { kind: 'closed'; process: Process };

/** One process, from the request to start it until its output is no longer readable. */
export type Entry = {
  processId: string;
  needsWriteId: boolean;
  input: InputQueue;
  phase: Phase;
  /** Its sandbox stopped it. */
  denied: boolean;
};

/** The processes of a session, by their ids. */
export type ProcessTable = {
  /** Throws RpcError if the id is taken, or too many processes run. */
  add: (entry: Omit<Entry, 'phase' | 'denied'>) => void;
  find: (processId: string) => Entry | undefined;
  setPhase: (processId: string, phase: Phase) => void;
  setDenied: (processId: string) => void;
  remove: (processId: string) => void;
};

/** The processes of one session, none at first. */
export const processTable = ({ maxProcesses }: Pick<ProcessLimits, 'maxProcesses'>): ProcessTable => {
  const entries = new Map<string, Entry>();
  const countRunning = () => [...entries.values()].filter(({ phase }) => phase.kind !== 'closed').length;
  return {
    add: (entry) => {
      const { processId } = entry;
      if (entries.has(processId)) throw new RpcError(INVALID_REQUEST, `process ${processId} already exists`);
      if (countRunning() >= maxProcesses) {
        throw new RpcError(INVALID_REQUEST, `too many processes: ${maxProcesses} run already`);
      }
      entries.set(processId, { ...entry, phase: { kind: 'starting' }, denied: false });
    },
    find: (processId) => entries.get(processId),
    setPhase: (processId, phase) => {
      const entry = entries.get(processId);
      if (entry) entries.set(processId, { ...entry, phase });
    },
    setDenied: (processId) => {
      const entry = entries.get(processId);
      if (entry) entries.set(processId, { ...entry, denied: true });
    },
    remove: (processId) => void entries.delete(processId),
  };
};

/** The process, once it has started. */
export const processOf = ({ phase }: Entry): Process | undefined => ('process' in phase ? phase.process : undefined);

/** A chunk as the wire has it, in base64. */
export const toChunk = ({ seq, stream, chunk }: OutputChunk) => ({ seq, stream, chunk: toBase64(chunk) });

/** The result of process/read. Source: codex exec-server 0.142.0; `evictedThrough` and `evictedBytes` are ours, and only if something was evicted. */
export const toPage = ({ chunks, evicted, ...page }: OutputPage, { denied }: { denied: boolean }) => ({
  chunks: chunks.map(toChunk),
  ...page,
  sandboxDenied: denied && page.exited,
  ...(evicted && { evictedThrough: evicted.throughSeq, evictedBytes: evicted.bytes }),
});
