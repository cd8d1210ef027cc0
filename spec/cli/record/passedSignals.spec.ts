import { passedSignals } from '../../../src/cli/signals';

const SIGNALS = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGUSR2'] as const;
const listeners = () => SIGNALS.map((signal) => process.listenerCount(signal));

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
