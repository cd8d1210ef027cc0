import { of } from 'rxjs';
import { readPage, readRunning, readStatus } from '../../../src/executor/remote/runProcess';
import { marbles } from '../../support/marbles';

const empty = { chunks: [], nextSeq: 0, exited: false, exitCode: null, closed: false, failure: null };

describe('readPage', () => {
  it.each<[string, unknown, unknown]>([
    ['has a default for what is left out', {}, empty],
    [
      'reads chunks as bytes',
      { chunks: [{ seq: 2, stream: 'stderr', chunk: 'YQ==' }], nextSeq: 3, sandboxDenied: false },
      { ...empty, chunks: [{ seq: 2, stream: 'stderr', chunk: Buffer.from('a') }], nextSeq: 3 },
    ],
    [
      'reads what was evicted, where both numbers are there',
      { evictedThrough: 4, evictedBytes: 9 },
      { ...empty, evicted: { throughSeq: 4, bytes: 9 } },
    ],
    ['reads nothing of one number alone', { evictedThrough: 4 }, empty],
  ])('%s', (_, result, page) =>
    marbles(({ expectObservable }) => {
      expectObservable(of(result).pipe(readPage)).toBe('(P|)', { P: page });
    })(),
  );

  it('errors for a page of another shape, with the path', () =>
    marbles(({ expectObservable }) => {
      const why = "the exec-server's result of process/read cannot be read: result.chunks.0.seq is missing";
      expectObservable(of({ chunks: [{ stream: 'stdout', chunk: '' }] }).pipe(readPage)).toBe('#', {}, new Error(why));
    })());
});

describe('readStatus and readRunning', () => {
  it('read the status of a write, and whether a process still ran', () =>
    marbles(({ expectObservable }) => {
      expectObservable(of({ status: 'stdinClosed' }).pipe(readStatus('process/write'))).toBe('(S|)', {
        S: 'stdinClosed',
      });
      expectObservable(of({ running: true }).pipe(readRunning)).toBe('(S|)', { S: true });
      expectObservable(of({}).pipe(readRunning)).toBe('(S|)', { S: false });
    })());

  it('errors for a status that is not known', () =>
    marbles(({ expectObservable }) => {
      const why = /^the exec-server's result of process\/write cannot be read: result.status must be /;
      const error = expect.objectContaining({ message: expect.stringMatching(why) });
      expectObservable(of({ status: 'perhaps' }).pipe(readStatus('process/write'))).toBe('#', {}, error);
    })());
});
