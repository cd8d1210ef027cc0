import { soonTogether } from '../../src/threads/fileThreads';

describe('soonTogether', () => {
  it('runs all that waits in one go, in the order in which it came', () => {
    const due: (() => void)[] = [];
    const ran: string[] = [];
    const soon = soonTogether((run) => void due.push(run));
    soon(() => void ran.push('a'));
    soon(() => void ran.push('b'));
    expect([due.length, ran]).toEqual([1, []]);
    due.pop()?.();
    expect(ran).toEqual(['a', 'b']);
  });

  it('runs later what comes while it runs', () => {
    const due: (() => void)[] = [];
    const ran: string[] = [];
    const soon = soonTogether((run) => void due.push(run));
    soon(() => soon(() => void ran.push('b')));
    due.pop()?.();
    expect([due.length, ran]).toEqual([1, []]);
    due.pop()?.();
    expect(ran).toEqual(['b']);
  });
});
