import { toChunk, toPage } from '../../../../src/executor/server/process/toPage';
import type { OutputPage } from '../../../../src/protocol/exec/process';

const chunk = { seq: 3, stream: 'stderr' as const, chunk: Buffer.from('a') };
const page: OutputPage = { chunks: [chunk], nextSeq: 4, exited: true, exitCode: 0, closed: false, failure: null };
const wire = { seq: 3, stream: 'stderr', chunk: 'YQ==' };

describe('toChunk', () => {
  it('has its bytes as base64', () => {
    expect(toChunk(chunk)).toEqual(wire);
  });
});

describe('toPage', () => {
  it.each([
    [page, false, {}],
    [page, true, { sandboxDenied: true }],
    [{ ...page, exited: false, exitCode: null }, true, { exited: false, exitCode: null }],
    [{ ...page, evicted: { throughSeq: 2, bytes: 10 } }, false, { evictedThrough: 2, evictedBytes: 10 }],
  ])('of %j, denied: %j', (given, denied, more) => {
    expect(toPage(given, { denied })).toEqual({
      chunks: [wire],
      nextSeq: 4,
      exited: true,
      exitCode: 0,
      closed: false,
      failure: null,
      sandboxDenied: false,
      ...more,
    });
  });
});
