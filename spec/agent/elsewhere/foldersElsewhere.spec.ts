import { firstValueFrom, of, throwError } from 'rxjs';
import { holdElsewhere, marksElsewhere, realFolderElsewhere } from '../../../src/agent/elsewhere/toolsElsewhere';
import type { Executor } from '../../../src/executor/backend';

/** An executor on which `/w/link` leads to `/out`. */
const request: Executor['request'] = (method, { path }) => {
  if (method !== 'fs/canonicalize' || path === 'file:///gone') return throwError(() => new Error('not there'));
  return of({ path: String(path).replace('file:///w/link', 'file:///out') });
};

describe('realFolderElsewhere', () => {
  it('is where links lead, and the path itself where nothing is', async () => {
    const paths = ['/w', '/w/link/a', '/gone'].map((path) => firstValueFrom(realFolderElsewhere({ request })(path)));
    expect(await Promise.all(paths)).toEqual(['/w', '/out/a', '/gone']);
  });
});

describe('holdElsewhere', () => {
  it('is the folder where no link is on the way', async () => {
    const hold = holdElsewhere({ request });
    expect(await firstValueFrom(hold('/w'))).toMatchObject({ path: '/w' });
    expect(await firstValueFrom(hold('/w/link'))).toBeUndefined();
    await expect(firstValueFrom(hold('/gone'))).rejects.toThrow('not there');
  });
});

describe('marksElsewhere', () => {
  const facts = { isDirectory: false, isFile: true, isSymlink: false, size: 3, createdAtMs: 0, modifiedAtMs: 0 };
  const files = {
    facts: (path: string) => {
      if (path === '/w/none') return throwError(() => Object.assign(new Error('none'), { code: 'ENOENT' }));
      if (path === '/w/shut') return throwError(() => new Error('refused'));
      return of({ ...facts, isFile: path !== '/w', size: path === '/w/long' ? 2_000_000 : 3 });
    },
    canonical: (path: string) => of(path.replace('link', 'file')),
    read: () => of(Buffer.from('abc')),
    list: () => of([{ fileName: 'main.js', isDirectory: false, isFile: true }]),
  };
  const marksOf = (...paths: string[]) => firstValueFrom(marksElsewhere(files)(paths));

  it('has the real path and the bytes of each file, and none of a folder or of nothing', async () => {
    const mark = '/w/file ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=';
    expect(await marksOf('/w/file', '/w/link', '/w', '/w/none')).toEqual([mark, mark, undefined, undefined]);
    expect(await marksOf()).toEqual([]);
  });

  it.each([
    ['a long file', ['/w/file', '/w/long']],
    ['a file that the executor does not show', ['/w/shut']],
    ['a name that another begins with', ['/w/main']],
    ['many paths', Array.from({ length: 65 }, (_, i) => `/w/${i}`)],
  ])('are not known of %s', async (_, paths) => {
    expect(await marksOf(...paths)).toBeUndefined();
  });
});
