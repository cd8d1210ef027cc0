import { passedSignals, stopSignal } from '../../src/cli/signals';

const SIGNALS = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGUSR2'] as const;

const listeners = () => SIGNALS.map((signal) => process.listenerCount(signal));

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

describe('passedSignals', () => {
  it.each([
    [false, SIGNALS],
    [true, ['SIGTERM', 'SIGHUP', 'SIGUSR2']],
  ])('keeps each signal from ending the process while it is subscribed; at a terminal: %s', (isTerminal, passed) => {
    const seen: string[] = [];
    const before = listeners();
    const subscription = passedSignals(isTerminal).subscribe((signal) => seen.push(signal));
    expect(listeners()).toEqual(before.map((count) => count + 1));
    for (const signal of SIGNALS) process.emit(signal);
    subscription.unsubscribe();
    expect(seen).toEqual(passed);
    expect(listeners()).toEqual(before);
  });
});
