/** Owns output as the wire has it. */
import type { OutputChunk, OutputPage } from '../../../protocol/exec';

export const toChunk = ({ seq, stream, chunk }: OutputChunk) => ({
  seq,
  stream,
  chunk: Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('base64'),
});

/** Source: codex exec-server 0.142.0; what was evicted is told by ours alone, and only where something was. */
export const toPage = ({ chunks, evicted, ...page }: OutputPage) => ({
  chunks: chunks.map(toChunk),
  ...page,
  sandboxDenied: false,
  ...(evicted && { evictedThrough: evicted.throughSeq, evictedBytes: evicted.bytes }),
});
