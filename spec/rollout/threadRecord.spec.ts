import { FileError } from '../../src/files';
import type { RolloutEntry } from '../../src/rollout';
import { threadRecord } from '../../src/rollout/threadRecord';

const entry = (message: string): RolloutEntry => ({ type: 'event_msg', payload: { type: 'error', message } });

/** A file that takes what it is given, and work that waits until `run`. */
const recorded = (own: { append?: (text: string) => void; open?: () => void } = {}) => {
  const done: string[] = [];
  const work: (() => void)[] = [];
  const record = threadRecord({
    open: () => {
      own.open?.();
      done.push('open');
      return {
        append: (text) => {
          own.append?.(text);
          done.push(...(text.match(/(?<="message":")\w+/g) ?? []), '|');
        },
        sync: () => done.push('sync'),
        size: () => 0,
        close: () => void done.push('close'),
      };
    },
    soon: (run) => void work.push(run),
    now: () => 0,
    failed: ({ message }) => void done.push(message),
  });
  const run = () => {
    for (const each of work.splice(0)) each();
  };
  return { record, done, run };
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

  it('has all lines written when a turn ends, and asks for the disk', () => {
    const { record, done, run } = recorded();
    record.write(entry('a'));
    record.endTurn();
    expect(done).toEqual(['open', 'a', '|', 'sync']);
    run();
    expect(done).toHaveLength(4);
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
