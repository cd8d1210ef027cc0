import { FileError } from '../../src/io/files/fileError';
import { holdingBack } from '../../src/threads/threadRecord';

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
