/** Output as the wire has it. */
import type { OutputChunk, OutputPage } from '../../../protocol/exec/process';
import { toBase64 } from '../base64';

/** A chunk as the wire has it, in base64. */
export const toChunk = ({ seq, stream, chunk }: OutputChunk) => ({ seq, stream, chunk: toBase64(chunk) });

/** The result of process/read. Source: codex exec-server 0.142.0; `evictedThrough` and `evictedBytes` are ours, and only if something was evicted. */
export const toPage = ({ chunks, evicted, ...page }: OutputPage, { denied }: { denied: boolean }) => ({
  chunks: chunks.map(toChunk),
  ...page,
  sandboxDenied: denied && page.exited,
  ...(evicted && { evictedThrough: evicted.throughSeq, evictedBytes: evicted.bytes }),
});
