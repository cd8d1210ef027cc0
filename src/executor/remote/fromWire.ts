/** Owns reading what an exec-server says of processes; what it leaves out has a meaning too. */
import {
  type Evicted,
  type ExecNotification,
  isObject,
  type JsonObject,
  type OutputChunk,
  type OutputPage,
  type OutputStream,
  type ProcessEvent,
  WRITE_STATUSES,
  type WriteStatus,
} from '../../protocol';

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);

const STREAMS: readonly OutputStream[] = ['stdout', 'stderr', 'pty'];

const toChunk = ({ seq, stream, chunk }: JsonObject): OutputChunk => ({
  seq: numberOf(seq),
  stream: STREAMS.find((known) => known === stream) ?? 'stdout',
  chunk: Buffer.from(String(chunk), 'base64'),
});

/** The event of a notification, and of which process; undefined for what is none. */
export const toEvent = ({
  method,
  params,
}: ExecNotification): { processId: unknown; event: ProcessEvent } | undefined => {
  if (!isObject(params)) return undefined;
  const { processId, exitCode } = params;
  const seq = numberOf(params.seq);
  switch (method) {
    case 'process/output':
      return { processId, event: { kind: 'output', ...toChunk(params) } };
    case 'process/exited':
      return { processId, event: { kind: 'exited', seq, exitCode: numberOf(exitCode) } };
    case 'process/closed':
      return { processId, event: { kind: 'closed', seq } };
    default:
      return undefined;
  }
};

/** The answer to process/read. */
export const toPage = (result: unknown): OutputPage => {
  const { chunks, nextSeq, exited, exitCode, closed, failure, ...ours } = isObject(result) ? result : {};
  return {
    chunks: Array.isArray(chunks) ? chunks.filter(isObject).map(toChunk) : [],
    nextSeq: numberOf(nextSeq),
    exited: exited === true,
    exitCode: typeof exitCode === 'number' ? exitCode : null,
    closed: closed === true,
    failure: typeof failure === 'string' ? failure : null,
    ...toEvicted(ours),
  };
};

const toEvicted = ({ evictedThrough, evictedBytes }: JsonObject): { evicted?: Evicted } =>
  typeof evictedThrough === 'number' && typeof evictedBytes === 'number'
    ? { evicted: { throughSeq: evictedThrough, bytes: evictedBytes } }
    : {};

/** The answer to process/write and process/closeStdin. */
export const toStatus = (result: unknown): WriteStatus =>
  WRITE_STATUSES.find((status) => isObject(result) && result.status === status) ?? 'unknownProcess';
