import type { Appender } from '../../src/io/files/appendFile';
import { FileError } from '../../src/io/files/fileError';
import type { RolloutEntry } from '../../src/threads/lines/rolloutEntry';
import { holdingBack, numberedLines, threadRecord } from '../../src/threads/threadRecord';

const entry = (message: string): RolloutEntry => ({ type: 'event_msg', payload: { type: 'error', message } });

type Own = { append?: (text: string) => void; open?: () => void } & Partial<Pick<Appender, 'sync' | 'removed'>>;

/** A file that takes what it is given, work that waits until `run`, and what comes later, at `pass`. */
const recorded = (own: Own = {}) => {
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
        removed: () => own.removed?.(),
        close: () => void done.push('close'),
      };
    },
    soon: (run) => void work.push(run),
    later: (run) => void waiting.push(run),
    now: () => 0,
    failed: ({ message }) => void done.push(message),
    recovered: () => void done.push('recovered'),
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

  it('writes long lines one in a turn of the event loop, and all that are left when a turn ends', () => {
    const { record, done, run } = recorded();
    const long = (name: string) => entry(`${name}${' '.repeat(1_048_576)}`);
    record.write(entry('a'), long('b'), long('c'));
    run();
    expect(done).toEqual(['open', 'a', 'b', '|']);
    record.write(entry('d'));
    run();
    expect(done.slice(4)).toEqual(['c', '|']);
    run();
    expect(done.slice(6)).toEqual(['d', '|']);
    record.write(long('e'), entry('f'));
    record.endTurn();
    run();
    expect(done.slice(8)).toEqual(['e', 'f', '|']);
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

  it('reports once that its file was removed, and makes no other, which would lack the beginning', () => {
    let removed: FileError | undefined;
    const { record, done, run } = recorded({ removed: () => removed });
    record.write(entry('a'));
    run();
    removed = new FileError('f was removed', 'EREMOVED');
    for (const each of ['b', 'c']) {
      record.write(entry(each));
      record.endTurn();
    }
    record.close();
    expect(done).toEqual([
      'open',
      'a',
      '|',
      'b',
      '|',
      'close',
      'f was removed. Start a new thread to keep what follows',
    ]);
    expect(record.isKept()).toBe(false);
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

  it('reports a disk that fails only after it was closed', () => {
    const syncs: ((error: Error) => void)[] = [];
    const { record, done } = recorded({ sync: (failed) => void syncs.push(failed) });
    record.write(entry('a'));
    record.endTurn();
    record.close();
    for (const failed of syncs) failed(new FileError('broken', 'EIO'));
    record.write(entry('b'));
    record.endTurn();
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
    const unwritten = recorded({ append: full });
    unwritten.record.write(entry('a'));
    unwritten.run();
    expect(unwritten.record.isKept()).toBe(false);
  });

  it('opens nothing for a thread without a line', () => {
    const { record, done } = recorded();
    record.endTurn();
    record.close();
    expect(done).toEqual([]);
  });

  /** Fails until it is freed. */
  const failing = () => {
    const disk = { isFull: true };
    const free = () => {
      disk.isFull = false;
    };
    return { fail: () => disk.isFull && full(), free };
  };

  it.each<[string, 'open' | 'append', string[], string[]]>([
    ['opened', 'open', ['full', 'full'], ['open', 'a', 'b', 'c', '|', 'recovered']],
    [
      'written',
      'append',
      ['open', 'close', 'full', 'open', 'close', 'full'],
      ['open', 'a', 'b', 'c', '|', 'recovered'],
    ],
  ])('writes what a file that could not be %s did not take, with what comes next', (_, member, before, after) => {
    const { fail, free } = failing();
    const { record, done, run } = recorded({ [member]: fail });
    record.write(entry('a'));
    run();
    record.write(entry('b'));
    run();
    expect(done.splice(0)).toEqual(before);
    free();
    record.write(entry('c'));
    record.endTurn();
    expect(done.splice(0)).toEqual(after);
    expect(record.isKept()).toBe(true);
    record.write(entry('d'));
    record.close();
    expect(done).toEqual(['d', '|', 'sync', 'close']);
  });

  it('tries once more when it closes', () => {
    const { fail, free } = failing();
    const { record, done, run } = recorded({ append: fail });
    record.write(entry('a'));
    run();
    free();
    record.close();
    expect(done.slice(3)).toEqual(['open', 'a', '|', 'recovered', 'close']);
  });

  it('reports that a disk whose sync failed takes lines again', () => {
    const { record, done, pass } = recorded({ sync: (failed) => failed(new FileError('broken', 'EIO')) });
    record.write(entry('a'));
    record.endTurn();
    pass();
    record.write(entry('b'));
    record.endTurn();
    expect(done.slice(3)).toEqual(['sync', 'close', 'broken', 'open', 'b', '|', 'recovered']);
  });

  it('gives up where a disk stays full for too long', () => {
    const { record, done, run } = recorded({ append: full });
    for (let i = 0; i < 4; i++) {
      record.write(entry('a'.repeat(3_000_000)));
      run();
    }
    record.close();
    expect(done.filter((each) => each === 'full')).toHaveLength(3);
  });
});

describe('numberedLines', () => {
  const entry = { type: 'event_msg', payload: { type: 'error' } } as const;
  const ordinals = (toLine: (one: typeof entry) => string) =>
    [entry, entry].map((one) => JSON.parse(toLine(one)).ordinal as unknown);

  it('counts on where the lines before are counted, and counts nowhere else', () => {
    expect(ordinals(numberedLines({ now: () => 0, nextOrdinal: 7 }))).toEqual([7, 8]);
    expect(ordinals(numberedLines({ now: () => 0 }))).toEqual([undefined, undefined]);
  });

  it('ends a line', () => {
    expect(numberedLines({ now: () => 0 })(entry)).toBe(
      '{"timestamp":"1970-01-01T00:00:00.000Z","type":"event_msg","payload":{"type":"error"}}\n',
    );
  });
});

/** A file on a disk that is full or not, and what was done with it. */
const onDisk = () => {
  const disk = { isFull: false };
  const done: string[] = [];
  const file = holdingBack(() => {
    done.push('open');
    return {
      append: (text) => {
        if (disk.isFull) throw new FileError('full', 'ENOSPC');
        done.push(text);
      },
      sync: () => void done.push('sync'),
      size: () => 0,
      removed: () => undefined,
      close: () => void done.push('close'),
    };
  });
  return { disk, done, file };
};

describe('holdingBack', () => {
  it('opens its file with the first text, and after each close', () => {
    const { done, file } = onDisk();
    file.close();
    file.sync(() => {});
    expect(file.isOpen()).toBe(false);
    for (const text of ['a', 'b']) file.append(text);
    expect(file.isOpen()).toBe(true);
    file.sync(() => {});
    file.close();
    file.append('c');
    expect(done).toEqual(['open', 'a', 'b', 'sync', 'close', 'open', 'c']);
  });

  it('gives the file what it could not take before, in its order', () => {
    const { disk, done, file } = onDisk();
    disk.isFull = true;
    for (const text of ['a', 'b']) expect(() => file.append(text)).toThrow('full');
    expect(file.owes()).toBe(2);
    disk.isFull = false;
    file.append('c');
    expect(file.owes()).toBe(0);
    expect(done).toEqual(['open', 'abc']);
  });

  it('forgets what the file could not take where it is too much', () => {
    const { disk, done, file } = onDisk();
    disk.isFull = true;
    expect(() => file.append('a')).toThrow('full');
    expect([file.giveUpAbove(1), file.owes(), file.giveUpAbove(0), file.owes()]).toEqual([false, 1, true, 0]);
    disk.isFull = false;
    file.append('b');
    expect(done).toEqual(['open', 'b']);
  });
});
