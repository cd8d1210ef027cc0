import { describeThreadError, ThreadError, UnknownThreadError } from '../../src/threads/threadError';

describe('describeThreadError', () => {
  it('names the command for an unknown id, where a client of the tools reads the tool', () => {
    const unknown = new UnknownThreadError('01a2', ['The newest is 99.']);
    expect(describeThreadError(unknown)).toBe(
      'No thread has the id 01a2, or an id that begins with it; the newest is 99; codex-rx threads lists them',
    );
    expect(describeThreadError(new UnknownThreadError('01a2', []))).toBe(
      'No thread has the id 01a2, or an id that begins with it; codex-rx threads lists them',
    );
    expect(unknown.message).toMatch(
      /^Session not found for thread_id: .* The newest is 99\. Start one with the tool codex\.$/,
    );
  });

  it('keeps other messages', () => {
    expect(describeThreadError(new ThreadError('The thread 1 is in use.'))).toBe('The thread 1 is in use.');
  });
});
