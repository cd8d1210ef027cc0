import fc from 'fast-check';
import {
  archivedFiles,
  readRolloutName,
  sessionFiles,
  threadFolder,
  toRolloutName,
  toRolloutPath,
} from '../../../src/threads/listing/rolloutFiles';
import { A, archivedPath, B, C, D, HOME, pathOf, placeOf } from '../support';

const started = (day: number) => Date.UTC(2026, 10, day);

const file = (id: string, day: 1 | 2 | 3) => ({ id, startedMs: started(day), path: pathOf(day, id), archived: false });

describe('toRolloutPath, threadFolder', () => {
  it.each([
    [false, pathOf(2, A), '/home/sessions'],
    [true, archivedPath(2, A), '/home/archived_sessions'],
  ])('with archived %j is %s', (archived, path, folder) => {
    expect(toRolloutPath(HOME, { id: A, startedMs: started(2), archived })).toBe(path);
    expect(threadFolder(HOME, { archived })).toBe(folder);
  });
});

describe('sessionFiles', () => {
  it('walks from the newest to the oldest, and within a second by the id', () => {
    const { place } = placeOf({
      [pathOf(1, C)]: '',
      [pathOf(2, A)]: '',
      [pathOf(2, B)]: '',
      [archivedPath(3, C)]: '',
      '/home/sessions/2026/11/02/notes.txt': '',
      '/home/sessions/old/11/02/x': '',
    });
    expect([...sessionFiles(place)]).toEqual([file(B, 2), file(A, 2), file(C, 1)]);
  });

  it('begins with the thread that was written last of those of one second', () => {
    const { place } = placeOf({ [pathOf(2, A)]: '', [pathOf(2, B)]: '', [pathOf(3, C)]: '' });
    const facts = (path: string) => ({ size: 1, writtenMs: path === pathOf(2, A) ? 2 : 1, ino: 1 });
    const all = sessionFiles({ ...place, files: { ...place.files, facts } });
    expect([...all]).toEqual([file(C, 3), file(A, 2), file(B, 2)]);
  });

  it('reads the folder of a day when the walk gets there', () => {
    const { place, listed } = placeOf({ [pathOf(1, A)]: '', [pathOf(3, B)]: '' });
    expect(sessionFiles(place).next().value).toEqual(file(B, 3));
    expect(listed).toContain('/home/sessions/2026/11/03');
    expect(listed).not.toContain('/home/sessions/2026/11/01');
  });

  const three = { [pathOf(1, C)]: '', [pathOf(2, A)]: '', [pathOf(2, B)]: '', [pathOf(3, D)]: '' };

  it.each([
    ['the first of its day', pathOf(2, B), [file(A, 2), file(C, 1)]],
    ['the last of its day ', pathOf(2, A), [file(C, 1)]],
    ['one that is gone    ', pathOf(2, C), [file(B, 2), file(A, 2), file(C, 1)]],
    ['the oldest          ', pathOf(1, C), []],
    [
      'one of a day without folder',
      pathOf(1, C).replaceAll('2026', '2027'),
      [file(D, 3), file(B, 2), file(A, 2), file(C, 1)],
    ],
    ['no rollout          ', '/etc/passwd', []],
  ])('goes on after %s', (_, after, expected) => {
    expect([...sessionFiles(placeOf(three).place, after)]).toEqual(expected);
  });

  it('begins at the folder of the thread after which it goes on', () => {
    const { place, listed } = placeOf({
      ...three,
      '/home/sessions/2027/01/01/x': '',
      '/home/sessions/2026/12/01/x': '',
    });
    expect(sessionFiles(place, pathOf(2, B)).next().value).toEqual(file(A, 2));
    expect(listed).toEqual(['', '/2026', '/2026/11', '/2026/11/02'].map((folder) => `/home/sessions${folder}`));
  });

  it('is empty without a folder', () => {
    expect([...sessionFiles(placeOf({}).place)]).toEqual([]);
  });
});

describe('archivedFiles', () => {
  it('lists what is archived, newest first', () => {
    const { place } = placeOf({ [archivedPath(1, A)]: '', [archivedPath(2, B)]: '', [pathOf(3, C)]: '' });
    expect(archivedFiles(place)).toEqual([
      { id: B, startedMs: started(2), path: archivedPath(2, B), archived: true },
      { id: A, startedMs: started(1), path: archivedPath(1, A), archived: true },
    ]);
  });
});

const id = '01a204a1-3f92-7243-96c5-2be9fe898371';

describe('readRolloutName', () => {
  it.each([
    [`rollout-2026-11-22T19-00-06-${id}.jsonl`, { id, startedMs: Date.UTC(2026, 10, 22, 19, 0, 6) }],
    [`rollout-2026-13-22T19-00-06-${id}.jsonl`, undefined],
    [`rollout-2026-11-22T19-00-06-${id}.jsonl.new`, undefined],
    ['rollout-x.jsonl', undefined],
    ['.lock', undefined],
  ])('reads %s', (name, expected) => {
    expect(readRolloutName(name)).toEqual(expected);
  });
});

describe('toRolloutName', () => {
  it('is read again, to the second', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_102_444_800 }), fc.uuid(), (seconds, uuid) => {
        const { folders, name } = toRolloutName({ id: uuid, startedMs: seconds * 1000 + 7 });
        expect(readRolloutName(name)).toEqual({ id: uuid, startedMs: seconds * 1000 });
        expect(name).toContain(`rollout-${folders.join('-')}T`);
      }),
    );
  });
});
