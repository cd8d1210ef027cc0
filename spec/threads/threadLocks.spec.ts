import type { Taken } from '../../src/io/files/lockFile';
import { takeThread } from '../../src/threads/lentRecord';
import { ThreadError } from '../../src/threads/threadError';
import { A, placeOf } from './support';

const lock = `/home/codex-rx/locks/${A}.lock`;
const taken = (holder: Pick<Taken, 'who' | 'state'>) => placeOf({}, { [`${A}.lock`]: holder }).place;

describe('takeThread', () => {
  it('takes the lock of a thread, and gives it back', () => {
    const { place, locks } = placeOf({});
    const release = takeThread(place, A);
    expect([...locks]).toEqual([lock]);
    release();
    expect([...locks]).toEqual([]);
  });

  it('takes none of a thread that Codex has loaded', () => {
    const { place, locks } = placeOf({});
    const asked: string[] = [];
    const systemLock = (path: string) => {
      asked.push(path);
      return 4711;
    };
    expect(() => takeThread({ ...place, systemLock }, A)).toThrow(
      new ThreadError(`The thread ${A} is in use by Codex (process 4711). Close it there, and call again.`),
    );
    expect([asked, [...locks]]).toEqual([[`/home/thread-writer-locks/${A}.lock`], []]);
  });

  it.each<[string, Pick<Taken, 'who' | 'state'>, string]>([
    [
      'this server',
      { who: 'the process 7', state: 'self' },
      'is open in this server. Continue it by its whole id; archive it after thread/unsubscribe, or when the server has ended.',
    ],
    [
      'another process',
      { who: 'the process 8', state: 'lives' },
      'is in use by the process 8; end it, or wait until it is done.',
    ],
    [
      'a process that may live',
      { who: 'the process 8 of the host far', state: 'unknown' },
      `is in use by the process 8 of the host far, and whether that still runs cannot be known from here; end it, or wait until it is done. If it has ended, remove ${lock}.`,
    ],
  ])('throws where it is taken by %s', (_, holder, text) => {
    expect(() => takeThread(taken(holder), A)).toThrow(new ThreadError(`The thread ${A} ${text}`));
  });
});
