import { firstValueFrom, of, throwError } from 'rxjs';
import { holdElsewhere, realFolderElsewhere } from '../../../src/agent/elsewhere/toolsElsewhere';
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
