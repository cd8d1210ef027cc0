import { closeThread, releaseThread } from '../../../../src/agent/appServer/appServerAgent';
import type { Thread } from '../../../../src/agent/appServer/threads/openThread';

const threadOf = (turnId: string) => {
  const sent: unknown[] = [];
  const requestAndForget = (...asked: unknown[]) => sent.push(asked);
  return { sent, thread: { id: 'T', turnId, loadedBy: { requestAndForget }, base: {}, once: [] } as unknown as Thread };
};
const UNSUBSCRIBED = [['thread/unsubscribe', { threadId: 'T' }]];

describe('releaseThread', () => {
  it('lets the server unload a thread that it has stored', () => {
    const { thread, sent } = threadOf('1');
    expect(releaseThread(thread)).toEqual({ kind: 'unloaded', thread: { ...thread, isUnloaded: true } });
    expect(sent).toEqual(UNSUBSCRIBED);
  });

  it('keeps a thread without a turn, which nothing could load again', () => {
    const { thread, sent } = threadOf('');
    expect(releaseThread(thread)).toEqual({ kind: 'kept' });
    expect(sent).toEqual([]);
  });
});

describe('closeThread', () => {
  it('lets the server unload a thread, and completes', () => {
    const { thread, sent } = threadOf('');
    const seen: string[] = [];
    closeThread(thread).subscribe({ complete: () => seen.push('complete') });
    expect([seen, sent]).toEqual([['complete'], UNSUBSCRIBED]);
  });
});
