import { descendantsOf, killAll } from '../../../src/io/processes/descendants';
import { type GroupLifeDeps, groupLife } from '../../../src/io/processes/groupLife';
import { endTree } from '../../../src/io/processes/spawnHere';

jest.mock('../../../src/io/processes/descendants');
jest.mock('../../../src/io/processes/spawnHere');

const LEFT = [{ pid: 5, startTicks: '50' }];
const GRACE = { inputMs: 100, termMs: 50 };

/** The life of a group of the id 7; `done` is what was done, in order. */
const live = (own: Partial<GroupLifeDeps> = {}) => {
  const done: string[] = [];
  const note = (what: string) => () => void done.push(what);
  const watch = Object.assign(
    (id: number, what?: string) => {
      done.push(`watch ${id} ${what}`);
      return note('forget');
    },
    {
      marks: {
        next: () => ({ name: 'MARK', value: 'm' }),
        kill: (value: string) => void done.push(`kill mark ${value}`),
      },
    },
  );
  jest.spyOn(process, 'kill').mockImplementation((id, signal) => {
    done.push(`${signal} ${id}`);
    return true;
  });
  jest.mocked(descendantsOf).mockImplementation((pid) => {
    done.push(`look below ${pid}`);
    return LEFT;
  });
  jest.mocked(killAll).mockImplementation((left) => {
    if (left.length > 0) done.push(`kill ${left.map(({ pid }) => pid)}`);
  });
  const edges = { closeInput: note('close input'), drain: note('drain'), release: note('release') };
  return { done, life: groupLife({ group: 7, grace: undefined, watch, mark: 'm', ...edges, ...own }) };
};

const wasOver = ['release', 'SIGKILL -7'];
const wasEnded = [...wasOver, 'kill 5', 'kill mark m'];

describe('groupLife', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it('of a child that exited by itself ends what is left of its group, and no more', () => {
    const { done, life } = live();
    expect(life.isRunning()).toBe(true);
    life.exited();
    expect(life.isRunning()).toBe(false);
    life.closed();
    life.leave();
    life.leave();
    expect(done).toEqual(['watch 7 group', ...wasOver, 'forget']);
  });

  it('kills the group of a child that is unsubscribed, and what has left the group', () => {
    const { done, life } = live();
    life.leave();
    life.leave();
    expect(done).toEqual(['watch 7 group', 'look below 7', ...wasEnded, 'forget']);
  });

  it('gives a child with grace its time, then ends the rest', () => {
    const { done, life } = live({ grace: GRACE });
    life.leave();
    jest.advanceTimersByTime(100);
    life.exited();
    life.closed();
    jest.advanceTimersByTime(1_000);
    expect(done).toEqual([
      'watch 7 server',
      'drain',
      'look below 7',
      'close input',
      'SIGTERM -7',
      ...wasEnded,
      'forget',
    ]);
  });

  it('ends what a server with grace started, also when it exited by itself', () => {
    const { done, life } = live({ grace: GRACE });
    life.exited();
    life.leave();
    expect(done).toEqual(['watch 7 server', ...wasOver, 'kill mark m', 'forget']);
  });

  it('terminates on request, once, and reports whether the child was running', () => {
    const { done, life } = live();
    const answers: unknown[] = [];
    const terminate$ = life.terminate();
    expect(done).toEqual(['watch 7 group']);
    terminate$.subscribe((isRunning) => answers.push(isRunning));
    life.terminate().subscribe((isRunning) => answers.push(isRunning));
    life.exited();
    life.leave();
    life.terminate().subscribe((isRunning) => answers.push(isRunning));
    expect(answers).toEqual([true, true, false]);
    expect(done).toEqual(['watch 7 group', 'look below 7', 'SIGKILL -7', ...wasEnded, 'forget']);
  });

  it('interrupts a group that is not over; without a mark it kills none', () => {
    const { done, life } = live({ mark: undefined });
    life.interrupt().subscribe();
    life.leave();
    life.interrupt().subscribe();
    expect(done).toEqual(['watch 7 group', 'SIGINT -7', 'look below 7', ...wasOver, 'kill 5', 'forget']);
  });

  it('does not end at a close before it is unsubscribed, for others may hold its outputs', () => {
    const { done, life } = live();
    life.closed();
    expect(done).toEqual(['watch 7 group']);
  });

  describe('on Windows', () => {
    const { platform } = process;
    beforeEach(() => Object.defineProperty(process, 'platform', { value: 'win32' }));
    afterEach(() => Object.defineProperty(process, 'platform', { value: platform }));

    it('ends the processes below a child that runs, and none after its end, when another may have its id', () => {
      const env = { SYSTEMROOT: 'C:\\Windows' };
      const running = live({ env });
      running.life.leave();
      const over = live({ env });
      over.life.exited();
      over.life.leave();
      expect(jest.mocked(endTree).mock.calls).toEqual([[7, env]]);
      expect([...running.done, ...over.done].filter((what) => what.startsWith('SIG'))).toEqual([]);
    });
  });
});
