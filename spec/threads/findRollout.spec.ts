import { findRollout } from '../../src/threads/fileThreads';
import { ThreadError, UnknownThreadError } from '../../src/threads/threadError';
import { A, archivedPath, B, C, D, pathOf, placeOf } from './support';

const texts = { [pathOf(1, A)]: '', [pathOf(2, B)]: '', [archivedPath(3, C)]: '' };
const find = (ref: string) => findRollout(placeOf(texts).place, ref);

describe('findRollout', () => {
  it.each([
    ['a whole id            ', A, pathOf(1, A)],
    ['one in capitals       ', A.toUpperCase(), pathOf(1, A)],
    ['one without hyphens   ', A.replaceAll('-', ''), pathOf(1, A)],
    ['an archived one       ', C, archivedPath(3, C)],
    ['a beginning of one    ', '02b3', archivedPath(3, C)],
    ['all but its last digit', A.slice(0, -1), undefined],
  ])('finds %s', (_, ref, path) => {
    if (path === undefined) expect(() => find(ref)).toThrow(ThreadError);
    else expect(find(ref).path).toBe(path);
  });

  it('reads no more folders than it needs for a whole id', () => {
    const { place, listed } = placeOf(texts);
    findRollout(place, B);
    expect(listed.filter((folder) => folder.endsWith('/01') || folder.includes('archived'))).toEqual([]);
  });

  it('throws for a beginning of several, and shows three of them', () => {
    expect(() => find('01a2')).toThrow(new ThreadError(`2 threads begin with 01a2: ${B}, ${A}. Give more of the id.`));
    const more = Object.fromEntries([1, 2, 3, 4].map((n) => [pathOf(1, A.replace(/1$/, String(n))), '']));
    expect(() => findRollout(placeOf(more).place, '01a2')).toThrow(
      /^4 threads begin with 01a2: [^,]*, [^,]*, [^,]*, …\./,
    );
  });

  it.each([
    ['a beginning that is too short      ', '02b', [`The newest is ${B}.`]],
    ['an unknown id, and names the newest', D.replaceAll('0', 'f'), [`The newest is ${B}.`]],
    ['a slip, and names the nearest      ', C.replace('02b3', '02c3'), [`The nearest is ${C}.`, `The newest is ${B}.`]],
  ])('throws for %s', (_, ref, hints) => {
    expect(() => find(ref)).toThrow(new UnknownThreadError(ref, hints));
  });

  it('throws without a hint where there are no threads', () => {
    expect(() => findRollout(placeOf({}).place, A)).toThrow(new UnknownThreadError(A, []));
  });

  it('throws with the reason why no thread is kept, if none is', () => {
    const place = {
      ...placeOf(texts).place,
      whyNotKept: () => '/home belongs to user 1000: run codex-rx as that user',
    };
    expect(() => findRollout(place, D.replaceAll('0', 'f'))).toThrow(
      /^Session not found for thread_id: \S+ Threads are not kept on disk, so none outlives its server: \/home belongs to user 1000: run codex-rx as that user\. The newest is /,
    );
  });
});
