import { type FindPlace, findRollout } from '../../../src/threads/listing/findRollout';
import type { RolloutFile } from '../../../src/threads/listing/rolloutFiles';
import { ThreadError, UnknownThreadError } from '../../../src/threads/threadError';
import { marbles } from '../../support/marbles';
import { A, archivedPath, B, C, D, HOME, pathOf, placeOf } from '../support';

const texts = { [pathOf(1, A)]: '', [pathOf(2, B)]: '', [archivedPath(3, C)]: '' };

/** What is found without waiting. */
const findIn = (place: FindPlace, ref: string): RolloutFile | undefined => {
  const seen: { file?: RolloutFile; error?: unknown } = {};
  findRollout(place, ref).subscribe({
    next: (file) => Object.assign(seen, { file }),
    error: (error) => Object.assign(seen, { error }),
  });
  if (seen.error !== undefined) throw seen.error;
  return seen.file;
};
const find = (ref: string) => findIn(placeOf(texts).place, ref);

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
    else expect(find(ref)?.path).toBe(path);
  });

  it('reads no more folders than it needs for a whole id', () => {
    const { place, listed } = placeOf(texts);
    findIn(place, B);
    expect(listed.filter((folder) => folder.endsWith('/01') || folder.includes('archived'))).toEqual([]);
  });

  it('reads for the hints of an unknown id no more than the newest thousand threads', () => {
    const { place, listed } = placeOf(manyDays());
    const error: unknown[] = [];
    marbles(({ flush }) => {
      findRollout(place, D.replaceAll('0', 'f')).subscribe({ error: (reason) => error.push(reason) });
      flush();
    })();
    expect(error).toEqual([new UnknownThreadError(D.replaceAll('0', 'f'), [`The newest is ${threadOf(0, 19)}.`])]);
    const days = listed.filter((folder) => /\/\d{4}\/\d\d\/\d\d$/.test(folder));
    expect(days).toHaveLength(200 + 50);
  });

  it('throws for a beginning of several, and shows three of them', () => {
    expect(() => find('01a2')).toThrow(new ThreadError(`2 threads begin with 01a2: ${B}, ${A}. Give more of the id.`));
    const more = Object.fromEntries([1, 2, 3, 4].map((n) => [pathOf(1, A.replace(/1$/, String(n))), '']));
    expect(() => findIn(placeOf(more).place, '01a2')).toThrow(/^4 threads begin with 01a2: [^,]*, [^,]*, [^,]*, …\./);
  });

  it.each([
    ['a beginning that is too short      ', '02b', [`The newest is ${B}.`]],
    ['an unknown id, and names the newest', D.replaceAll('0', 'f'), [`The newest is ${B}.`]],
    ['a slip, and names the nearest      ', C.replace('02b3', '02c3'), [`The nearest is ${C}.`, `The newest is ${B}.`]],
  ])('throws for %s', (_, ref, hints) => {
    expect(() => find(ref)).toThrow(new UnknownThreadError(ref, hints));
  });

  it('throws without a hint where there are no threads', () => {
    expect(() => findIn(placeOf({}).place, A)).toThrow(new UnknownThreadError(A, []));
  });

  it('throws with the reason why no thread is kept, if none is', () => {
    const place = {
      ...placeOf(texts).place,
      whyNotKept: () => '/home belongs to user 1000: run codex-rx as that user',
    };
    expect(() => findIn(place, D.replaceAll('0', 'f'))).toThrow(
      /^Session not found for thread_id: \S+ Threads are not kept on disk, so none outlives its server: \/home belongs to user 1000: run codex-rx as that user\. The newest is /,
    );
  });

  it.each([
    ['UTC', '2026/11/21'],
    ['a place east of it', '2026/11/22'],
    ['a place west of it', '2026/11/20'],
  ])('reads no more than three folders of many for an id that holds a time, made in %s', (_, day) => {
    const path = `${HOME}/sessions/${day}/rollout-${day.replaceAll('/', '-')}T00-00-00-${E}.jsonl`;
    const { place, listed } = placeOf({ ...texts, ...manyDays(), [path]: '' });
    expect(findIn(place, E)?.path).toBe(path);
    expect(listed.length).toBeLessThanOrEqual(3);
  });

  it(
    'reads the names of thousands of threads in turns of the event loop, and none after unsubscription',
    marbles(({ expectObservable, flush }) => {
      const { place, listed } = placeOf(manyDays());
      const reading = findRollout(place, D.replaceAll('0', 'f')).subscribe({ error: () => {} });
      const first = listed.length;
      expect(first).toBeLessThan(60);
      reading.unsubscribe();
      flush();
      expect(listed).toHaveLength(first);
      const error = new UnknownThreadError(D.replaceAll('0', 'f'), [`The newest is ${threadOf(0, 19)}.`]);
      expectObservable(findRollout(place, D.replaceAll('0', 'f'))).toBe('#', {}, error);
    }),
  );
});

/** Made at 2026-11-21T23:45Z. */
const E = '01a2007f-b860-7000-8000-000000000005';

const threadOf = (day: number, n: number): string =>
  `ffff0000-0000-4000-8000-${String(day * 100 + n).padStart(12, '0')}`;

/** Threads of 200 days, 20 each. */
const manyDays = (): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: 4_000 }, (_, i) => {
      const [day, n] = [Math.floor(i / 20), i % 20];
      const date = new Date(Date.UTC(2026, 9, 1) - day * 86_400_000).toISOString().slice(0, 10);
      const folder = date.replaceAll('-', '/');
      return [`${HOME}/sessions/${folder}/rollout-${date}T00-00-00-${threadOf(day, n)}.jsonl`, ''];
    }),
  );
