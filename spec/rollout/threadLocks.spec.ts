import { ThreadError } from '../../src/rollout';
import { takeThread } from '../../src/rollout/threadLocks';
import { A, placeOf } from './support';

const lock = `/home/codex-rx/locks/${A}.lock`;
const taken = (holder: { pid: number; start: string; host?: string }) => placeOf({}, { [`${A}.lock`]: holder }).place;

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

  it.each([
    [
      'this server       ',
      { pid: 7, start: 'a' },
      'is open in this server. Continue it by its whole id; archive it after thread/unsubscribe, or when the server has ended.',
    ],
    ['a later process   ', { pid: 7, start: 'b' }, 'is in use by the process 7; end it, or wait until it is done.'],
    ['another process   ', { pid: 8, start: 'a' }, 'is in use by the process 8; end it, or wait until it is done.'],
    [
      'one of another host',
      { pid: 8, start: 'a', host: 'far' },
      `is in use by the process 8 of the host far; if that has ended, remove ${lock}.`,
    ],
  ])('throws where it is taken by %s', (_, holder, text) => {
    expect(() => takeThread(taken(holder), A)).toThrow(new ThreadError(`The thread ${A} ${text}`));
  });
});
