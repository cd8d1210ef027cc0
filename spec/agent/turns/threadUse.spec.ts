import { threadUse } from '../../../src/agent/turns/releaseUnused';

describe('threadUse', () => {
  it('knows the thread of a call until the call ends', () => {
    const calls = threadUse<string>();
    calls.begin('a', 'T');
    expect(calls.threadOf('a')).toBe('T');
    calls.end('a');
    expect(calls.threadOf('a')).toBeUndefined();
    expect(calls.end('a')).toBeUndefined();
  });

  it('finds that a thread is unused when its last call ends, until the next begins', () => {
    const calls = threadUse<string>();
    for (const callId of ['a', 'b']) calls.begin(callId, 'T');
    expect(calls.end('a')).toBeUndefined();
    const unused = calls.end('b');
    expect([unused?.thread, unused?.isUnused()]).toEqual(['T', true]);
    calls.begin('c', 'T');
    calls.end('c');
    expect(unused?.isUnused()).toBe(false);
  });

  it('lists the unused threads, the longest unused first, less those that are forgotten', () => {
    const calls = threadUse<string>();
    for (const thread of ['T', 'U', 'V', 'T']) {
      calls.begin(thread, thread);
      calls.end(thread);
    }
    expect([...calls.unused()]).toEqual(['U', 'V', 'T']);
    calls.forget('V');
    expect([...calls.unused()]).toEqual(['U', 'T']);
  });
});
