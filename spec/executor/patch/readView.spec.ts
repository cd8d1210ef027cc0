import { lastValueFrom, toArray } from 'rxjs';
import { parsePatch, readView } from '../../../src/executor/patch/checkPatch';
import type { Patch } from '../../../src/executor/patch/grammar/patch';
import { patchOf, textFile } from './support';

const patch = (...lines: string[]): Patch => parsePatch(patchOf(...lines)) as Patch;
const three = patch('*** Add File: a', '+x', '*** Update File: d/../b', '*** Move to: /abs/c', '@@', '-1', '+2');

/** The views of a patch, and what was looked at, in order; each file has four bytes. */
const viewsOf = async (one: Patch, folder: string) => {
  const looked: [string, number][] = [];
  let isBusy = false;
  const look = async (path: string, maxBytes: number) => {
    expect(isBusy).toBe(false);
    isBusy = true;
    looked.push([path, 134_217_728 - maxBytes]);
    await Promise.resolve();
    isBusy = false;
    return { kind: 'file', real: path, entry: path, file: textFile('1234') } as const;
  };
  const views = await lastValueFrom(readView({ look })(one, folder).pipe(toArray()));
  return { looked, views };
};
const seen = (absolute: string) => ({
  ...{ kind: 'file', real: absolute, entry: absolute, absolute },
  file: textFile('1234'),
});

describe('readView', () => {
  it('looks at each path, one after another, with the bytes that are left, and emits one view', async () => {
    const { looked, views } = await viewsOf(three, '/ws');
    expect(looked).toEqual([
      ['/ws/a', 0],
      ['/ws/d/../b', 4],
      ['/abs/c', 8],
    ]);
    expect(views).toEqual([
      new Map([
        ['a', seen('/ws/a')],
        ['d/../b', seen('/ws/d/../b')],
        ['/abs/c', seen('/abs/c')],
      ]),
    ]);
  });

  it('looks once at a path that comes twice, below the root too', async () => {
    const twice = patch('*** Add File: a', '+x', '*** Delete File: a');
    expect((await viewsOf(twice, '/')).looked).toEqual([['/a', 0]]);
  });

  it('emits an empty view for a patch without files, and errors where a look does', async () => {
    expect((await viewsOf({ ...three, sections: [] }, '/ws')).views).toEqual([new Map()]);
    const look = () => Promise.reject(new Error('no disk'));
    await expect(lastValueFrom(readView({ look })(three, '/ws'))).rejects.toThrow('no disk');
  });
});
