import { from } from 'rxjs';
import { type Action, yieldAfterStarts } from '../../../src/executor/server/execServer';
import { marbles } from '../../support/marbles';

const run = (method: string): Action => ({ kind: 'run', request: { kind: 'request', id: 1, method, params: {} } });
const act: Record<string, Action> = { s: run('process/start'), k: run('process/terminate'), n: { kind: 'none' } };

describe('yieldAfterStarts', () => {
  it.each([
    ['passes what is no start as it comes', 'nk(knk)|', 'nk(knk)|'],
    ['passes some starts as they come', 's(sk)-|', 's(sk)-|'],
    ['ends with its source', '(sss)-|', '(sss)-|'],
    ['fails with its source', 'ss#', 'ss#'],
  ])('%s', (_, actions, expected) =>
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot(actions, act).pipe(yieldAfterStarts(3))).toBe(expected, act);
    })(),
  );

  it('yields to others after every so many, and keeps their order', async () => {
    const emitted: string[] = [];
    const actions = [...'ssksssk'].map((letter) => act[letter] as Action);
    const passed = new Promise<void>((complete) => {
      from(actions)
        .pipe(yieldAfterStarts(2))
        .subscribe({ next: (each) => emitted.push(each === act.s ? 's' : 'k'), complete });
    });
    expect(emitted.join('')).toBe('ss');
    setTimeout(() => emitted.push('other'), 0);
    await passed;
    expect(emitted.join('')).toBe('sskssothersk');
  });
});
