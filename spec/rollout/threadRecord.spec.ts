import { type Appender, FileError } from '../../src/files';
import type { RolloutEntry } from '../../src/rollout';
import { threadRecord } from '../../src/rollout/threadRecord';

const entry = (message: string): RolloutEntry => ({ type: 'event_msg', payload: { type: 'error', message } });

/** A file that takes what it is given, work that waits until `run`, and what comes later, at `pass`. */
const recorded = (own: { append?: (text: string) => void; open?: () => void; sync?: Appender['sync'] } = {}) => {
  const done: string[] = [];
  const work: (() => void)[] = [];
  const waiting: (() => void)[] = [];
  const record = threadRecord({
    open: () => {
      own.open?.();
      done.push('open');
      return {
        append: (text) => {
          own.append?.(text);
          done.push(...(text.match(/(?<="message":")\w+/g) ?? []), '|');
        },
        sync: (failed) => {
          done.push('sync');
          own.sync?.(failed);
        },
        size: () => 0,
        close: () => void done.push('close'),
      };
    },
    soon: (run) => void work.push(run),
    later: (run) => void waiting.push(run),
    now: () => 0,
    failed: ({ message }) => void done.push(message),
  });
  const run = () => {
    for (const each of work.splice(0)) each();
  };
  const pass = () => {
    for (const each of waiting.splice(0)) each();
  };
  return { record, done, run, pass };
};

const full = () => {
  throw new FileError('full', 'ENOSPC');
};

describe('threadRecord', () => {
  it('opens its file with the first lines, and writes those of one instant together', () => {
    const { record, done, run } = recorded();
    record.write(entry('a'));
    record.write(entry('b'), entry('c'));
    expect(done).toEqual([]);
    run();
    record.write(entry('d'));
    run();
    expect(done).toEqual(['open', 'a', 'b', 'c', '|', 'd', '|']);
  });

  it('has all lines written when a turn ends, and asks for the disk later, once for the turns until then', () => {
    const { record, done, run, pass } = recorded();
    for (const each of ['a', 'b']) {
      record.write(entry(each));
      record.endTurn();
    }
    expect(done).toEqual(['open', 'a', '|', 'b', '|']);
    pass();
    run();
    pass();
    expect(done.slice(5)).toEqual(['sync']);
    record.endTurn();
    pass();
    expect(done.slice(6)).toEqual(['sync']);
  });

  it('asks for the disk before it closes, where it has not since the last turn', () => {
    const { record, done, pass } = recorded();
    record.write(entry('a'));
    record.endTurn();
    record.close();
    pass();
    expect(done).toEqual(['open', 'a', '|', 'sync', 'close']);
  });

  it('reports a disk that fails after the last turn once', () => {
    const { record, done, pass } = recorded({ sync: (failed) => failed(new FileError('broken', 'EIO')) });
    record.write(entry('a'));
    record.endTurn();
    pass();
    record.endTurn();
    record.close();
    expect(done).toEqual(['open', 'a', '|', 'sync', 'close', 'broken']);
  });

  it('writes what waits before it closes, and nothing after', () => {
    const { record, done, run } = recorded();
    record.write(entry('a'));
    record.close();
    record.write(entry('b'));
    record.close();
    run();
    expect(done).toEqual(['open', 'a', '|', 'close']);
  });

  it('is kept once it has lines, until it is closed or its file fails', () => {
    const { record, run } = recorded();
    expect(record.isKept()).toBe(false);
    record.write(entry('a'));
    run();
    expect(record.isKept()).toBe(true);
    record.close();
    expect(record.isKept()).toBe(false);
    const failing = recorded({ append: full });
    failing.record.write(entry('a'));
    failing.run();
    expect(failing.record.isKept()).toBe(false);
  });

  it('opens nothing for a thread without a line', () => {
    const { record, done } = recorded();
    record.endTurn();
    record.close();
    expect(done).toEqual([]);
  });

  it.each<[string, object, string[]]>([
    ['opened', { open: full }, ['full']],
    ['written', { append: full }, ['open', 'close', 'full']],
  ])('reports a file that cannot be %s once, and goes on without it', (_, own, expected) => {
    const { record, done, run } = recorded(own);
    record.write(entry('a'));
    run();
    record.write(entry('b'));
    record.endTurn();
    record.close();
    run();
    expect(done).toEqual(expected);
  });
});
