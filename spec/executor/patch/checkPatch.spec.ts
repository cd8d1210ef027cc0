import { firstValueFrom, lastValueFrom, queueScheduler, toArray } from 'rxjs';
import { checkPatch, parsePatch, readView } from '../../../src/executor/patch/checkPatch';
import type { Patch } from '../../../src/executor/patch/grammar/patch';
import type { Seen } from '../../../src/executor/patch/seen';
import { startsInTurns } from '../../../src/streams/pausing';
import { encode, patchOf, textFile } from './support';

/** A disk that holds some files, and what was asked of it. */
const diskOf = (files: Record<string, string>) => {
  const asked: string[] = [];
  const check = checkPatch({
    look: async (path, maxBytes): Promise<Seen> => {
      asked.push(`look ${path} ${maxBytes}`);
      const text = files[path];
      return text === undefined
        ? { kind: 'absent', real: path }
        : { kind: 'file', real: path, entry: path, file: textFile(text) };
    },
    isFolder: async (path) => asked.push(`folder ${path}`) > 0 && path !== '/none',
    recover: async () => void asked.push('recover'),
    starts: queueScheduler,
  });
  return { asked, run: (text: string, folder = '/ws') => firstValueFrom(check(text, folder)) };
};

describe('checkPatch', () => {
  it('rolls back what was interrupted, then looks at each path once, and at ever less', async () => {
    const { asked, run } = diskOf({ '/ws/a': 'xyz\n', '/abs': '1\n' });
    const lines = [
      '*** Update File: a',
      '*** Move to: sub/b',
      '@@',
      '-xyz',
      '+z',
      '*** Delete File: /abs',
      '*** Add File: a',
    ];
    expect(await run(patchOf(...lines))).toMatchObject({
      kind: 'plan',
      files: [{ real: '/ws/a' }, { real: '/ws/sub/b' }, { real: '/abs' }],
    });
    expect(asked).toEqual([
      ...['folder /ws', 'recover', 'look /ws/a 134217728', 'look /ws/sub/b 134217724', 'look /abs 134217724'],
    ]);
  });

  it('leaves paths as they are written', async () => {
    const { asked, run } = diskOf({});
    await run(patchOf('*** Add File: ./x/../y'), '/');
    expect(asked).toContain('look /./x/../y 134217728');
  });

  it('reads nothing for a text that is no patch', async () => {
    const { asked, run } = diskOf({});
    expect(await run('x')).toMatchObject({ kind: 'invalidPatch' });
    expect(asked).toEqual([]);
  });

  it('reads no file for an empty patch', async () => {
    const { asked, run } = diskOf({});
    expect(await run(patchOf())).toEqual({ kind: 'empty' });
    expect(asked).toEqual(['folder /ws', 'recover']);
  });

  it('reports that there is no folder to begin in', async () => {
    const { run } = diskOf({});
    expect(await run(patchOf('*** Add File: a'), '/none')).toEqual({ kind: 'missingFolder', folder: '/none' });
  });

  it('plans the patch of a large file in turns, in which other work is done', async () => {
    let nowMs = 0;
    const turns: string[] = [];
    const starts = startsInTurns({
      now: () => {
        nowMs += 4;
        return nowMs;
      },
      soon: (run) => {
        turns.push('turn');
        setImmediate(run);
      },
    });
    const text = Array.from({ length: 100_000 }, (_, i) => `line ${i}\n`).join('');
    const check = checkPatch({
      look: async (path) => ({ kind: 'file', real: path, entry: path, file: textFile(text) }),
      isFolder: async () => true,
      recover: async () => {},
      starts,
    });
    const lines = ['*** Update File: a', '@@', '-line 99999', '+end'];
    expect(await firstValueFrom(check(patchOf(...lines), '/ws'))).toMatchObject({
      files: [{ after: { bytes: encode(text.replace('line 99999', 'end')) } }],
    });
    expect(turns.length).toBeGreaterThan(3);
  });

  it('does nothing before it is subscribed', () => {
    const asked: string[] = [];
    const note = async (): Promise<never> => {
      asked.push('disk');
      throw new Error('not now');
    };
    checkPatch({ look: note, isFolder: note, recover: note, starts: queueScheduler })(
      patchOf('*** Add File: a'),
      '/ws',
    );
    expect(asked).toEqual([]);
  });

  it('errors if the disk does in a way that is not foreseen', async () => {
    const fault = async (): Promise<never> => {
      throw new Error('fault');
    };
    const check = checkPatch({
      look: fault,
      isFolder: async () => true,
      recover: async () => {},
      starts: queueScheduler,
    });
    await expect(firstValueFrom(check(patchOf('*** Add File: a'), '/ws'))).rejects.toThrow('fault');
  });
});

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
  kind: 'file',
  real: absolute,
  entry: absolute,
  absolute,
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

  it('emits an empty view for a patch without files, and errors if a look does', async () => {
    expect((await viewsOf({ ...three, sections: [] }, '/ws')).views).toEqual([new Map()]);
    const look = () => Promise.reject(new Error('no disk'));
    await expect(lastValueFrom(readView({ look })(three, '/ws'))).rejects.toThrow('no disk');
  });
});
