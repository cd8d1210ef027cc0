import { stopSignal } from '../../src/cli/signals';

describe('stopSignal', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('emits %s and completes', (signal) => {
    const seen: string[] = [];
    const before = process.listenerCount(signal);
    stopSignal().subscribe({ next: (name) => seen.push(name), complete: () => seen.push('complete') });
    expect(process.listenerCount(signal)).toBe(before + 1);
    process.emit(signal);
    expect(seen).toEqual([signal, 'complete']);
    expect(process.listenerCount(signal)).toBe(before);
  });

  it('listens no longer when it is unsubscribed', () => {
    const before = process.listenerCount('SIGHUP');
    stopSignal().subscribe().unsubscribe();
    expect(process.listenerCount('SIGHUP')).toBe(before);
  });
});
