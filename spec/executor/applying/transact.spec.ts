import { transact } from '../../../src/executor/applying/transact';
import { patchOf, planned, textFile } from '../patch/support';
import { type Faults, type MemoryDisk, memoryDisk, systemError } from './memoryDisk';
import { AFTER, BEFORE, inFolder, orderOf, processAt, theOrder } from './support';

const never = new AbortController().signal;
const run = (disk: MemoryDisk, order = theOrder(), signal = never) => transact(processAt(disk).deps, order, signal);

/** All operations of the whole patch. */
const operationsOf = async (faults: Faults = {}): Promise<string[]> => {
  const disk = memoryDisk(BEFORE, faults);
  await run(disk);
  return disk.operations;
};

describe('transact', () => {
  it('changes all files, and leaves nothing next to them', async () => {
    const disk = memoryDisk(BEFORE);
    expect(await run(disk)).toEqual({ kind: 'applied', summary: theOrder().plan.summary });
    expect(disk.texts()).toEqual(AFTER);
    expect(disk.kept.size).toBe(0);
  });

  it('puts everything on the disk that takes room before it changes the first file', async () => {
    const operations = await operationsOf();
    const isRename = (operation: string) => operation.startsWith('rename');
    const changes = operations.slice(operations.findIndex(isRename), operations.findLastIndex(isRename));
    expect(changes.filter((operation) => /^(create|makeFolder|write)/.test(operation))).toEqual([]);
    expect(operations.indexOf('write journal')).toBeLessThan(
      operations.findIndex((one) => /^(create|link|make)/.test(one)),
    );
  });

  it.each(['EIO', 'ENOSPC'])('changes nothing when an operation fails with %s, whichever it is', async (code) => {
    const count = (await operationsOf()).length;
    const outcomes = new Set<string>();
    for (let failing = 1; failing <= count; failing += 1) {
      const disk = memoryDisk(BEFORE, {
        before: (_, at) => {
          if (at === failing) throw systemError(code, -28);
        },
      });
      const outcome = await run(disk);
      outcomes.add(outcome.kind);
      const left = Object.keys(disk.texts()).filter((path) => path.includes('.codex-rx-'));
      const texts = Object.entries(disk.texts()).filter(([path]) => !left.includes(path));
      expect([failing, Object.fromEntries(texts)]).toEqual([failing, outcome.kind === 'applied' ? AFTER : BEFORE]);
      if (outcome.kind === 'failed')
        expect([left, disk.folders.has('/ws/new'), disk.kept.size]).toEqual([[], false, 0]);
      if (left.length > 0) expect(disk.kept.size).toBe(1); // so it is removed later
    }
    expect([...outcomes].sort()).toEqual(['applied', 'failed']);
  });

  it('takes everything back when it is stopped before the end', async () => {
    const operations = await operationsOf();
    const end = operations.indexOf('commit journal');
    for (let stopping = 1; stopping < end; stopping += 1) {
      const stop = new AbortController();
      const disk = memoryDisk(BEFORE, { before: (_, at) => void (at === stopping && stop.abort()) });
      expect(await run(disk, theOrder(), stop.signal)).toEqual({
        kind: 'failed',
        message: 'The patch was stopped. No file was changed',
      });
      expect([disk.texts(), disk.folders.has('/ws/new'), disk.kept.size]).toEqual([BEFORE, false, 0]);
    }
  });

  it('does not begin after a stop, and is not stopped after its end', async () => {
    const [early, late] = [memoryDisk(BEFORE), new AbortController()];
    await run(early, theOrder(), AbortSignal.abort());
    expect(early.texts()).toEqual(BEFORE);
    const disk = memoryDisk(BEFORE, { before: (operation) => void (operation === 'remove journal' && late.abort()) });
    expect((await run(disk, theOrder(), late.signal)).kind).toBe('applied');
    expect(disk.texts()).toEqual(AFTER);
  });

  it.each([
    ['create', 'Failed to write file a.txt: No space left on device (os error 28). No file was changed'],
    ['rename', 'Failed to write file a.txt: No space left on device (os error 28). No file was changed'],
    [
      'makeFolder',
      'Failed to create parent directories for new/deep/n.txt: No space left on device (os error 28). No file was changed',
    ],
    [
      'rename /ws/gone.txt',
      'Failed to delete file gone.txt: No space left on device (os error 28). No file was changed',
    ],
    [
      'rename /ws/from.txt',
      'Failed to remove original from.txt: No space left on device (os error 28). No file was changed',
    ],
    ['commit', 'Failed to write the journal of the patch: No space left on device (os error 28). No file was changed'],
  ])('reports what failed, and that nothing was changed: %s', async (failing, message) => {
    let isOver = false;
    const disk = memoryDisk(BEFORE, {
      before: (operation) => {
        if (isOver || !operation.startsWith(failing)) return;
        isOver = true;
        throw systemError('ENOSPC', -28);
      },
    });
    expect(await run(disk)).toEqual({ kind: 'failed', message });
  });

  it('reports what could not be restored, and keeps its journal', async () => {
    const disk = memoryDisk(BEFORE, {
      before: (operation) => {
        if (operation.startsWith('commit') || (operation.startsWith('rename') && operation.includes('-0.old'))) {
          throw systemError('EIO', -5);
        }
      },
    });
    expect(await run(disk)).toEqual({
      kind: 'failed',
      message:
        'Failed to write the journal of the patch: Input/output error (os error 5). These files could not be brought back: /ws/a.txt (Input/output error (os error 5))',
    });
    expect(disk.texts()).toEqual({ ...BEFORE, '/ws/a.txt': 'A\n', '/ws/.codex-rx-71-0.old': 'a\n' });
    expect(disk.kept.size).toBe(1);
  });

  it.each([
    [
      'a file that has changed',
      'Failed to write file a.txt',
      (disk: MemoryDisk) => disk.put('/ws/a.txt', Buffer.from('other\n')),
    ],
    [
      'a file to delete that has changed',
      'Failed to delete file gone.txt',
      (disk: MemoryDisk) => disk.put('/ws/gone.txt', Buffer.from('x')),
    ],
    [
      'a file that is there now',
      'Failed to write file plain.txt',
      (disk: MemoryDisk) => disk.put('/ws/plain.txt', Buffer.from('mine\n')),
    ],
    ['a link in its place', 'Failed to write file a.txt', (disk: MemoryDisk) => disk.link('/ws/a.txt')],
  ])('does not touch %s since it was planned', async (_, failure, change) => {
    const disk = memoryDisk(BEFORE);
    change(disk);
    const before = disk.texts();
    expect(await run(disk)).toEqual({
      kind: 'failed',
      message: `${failure}: it has changed since the patch was checked; read it and send a new patch. No file was changed`,
    });
    expect([disk.texts(), disk.kept.size]).toEqual([before, 0]);
  });

  it('does not write a file that would be as it was', async () => {
    const disk = memoryDisk({ '/ws/f': 'a\n' });
    const order = orderOf(planned(patchOf('*** Update File: f', '@@', '-a', '+a'), { f: 'a\n' }));
    expect((await run(disk, order)).kind).toBe('applied');
    expect(disk.operations.filter((one) => /create|rename|link/.test(one))).toEqual([]);
  });

  it('does not begin what cannot work, or is not allowed', async () => {
    const disk = memoryDisk(BEFORE);
    const { plan } = theOrder();
    expect(await run(disk, orderOf({ ...plan, obstacle: 'Failed to write file x' }))).toEqual({
      kind: 'failed',
      message: 'Failed to write file x',
    });
    expect(await run(disk, { plan, mayWrite: (real) => real !== '/ws/gone.txt' })).toEqual({
      kind: 'failed',
      message:
        'Failed to delete file gone.txt: /ws/gone.txt is outside the folders that may be written. No file was changed',
    });
    expect(disk.operations).toEqual([]);
  });

  it('names a folder that a file stands in the place of', async () => {
    const disk = memoryDisk({ ...BEFORE, '/ws/new': 'a file\n' });
    expect(await run(disk)).toEqual({
      kind: 'failed',
      message:
        'Failed to create parent directories for new/deep/n.txt: Not a directory (os error 20). No file was changed',
    });
  });

  it('keeps mode and owner', async () => {
    const disk = memoryDisk({});
    disk.put('/ws/f', Buffer.from('a\n'), { mode: 0o750, owner: { uid: 5, gid: 6 } });
    const f = { kind: 'file', real: '/ws/f', entry: '/ws/f', file: textFile('a\n', 0o750) } as const;
    await run(disk, orderOf(planned(patchOf('*** Update File: f', '@@', '-a', '+b', '*** Add File: g', '+c'), { f })));
    expect(disk.node('/ws/f')).toMatchObject({ mode: 0o750, owner: { uid: 5, gid: 6 } });
    expect(disk.node('/ws/g')).toMatchObject({ mode: 'default' });
  });

  it('works without hard links, and takes everything back there too', async () => {
    const links = 'none' as const;
    const disk = memoryDisk(BEFORE, { links });
    expect((await run(disk)).kind).toBe('applied');
    expect(disk.texts()).toEqual(AFTER);
    const end = (await operationsOf({ links })).indexOf('commit journal');
    for (let failing = 1; failing < end; failing += 1) {
      const broken = memoryDisk(BEFORE, {
        links,
        before: (operation, at) => {
          if (at === failing && operation !== 'write journal') throw systemError('EIO', -5);
        },
      });
      const { kind } = await run(broken);
      expect([failing, broken.texts()]).toEqual([failing, kind === 'applied' ? AFTER : BEFORE]);
    }
  });

  it('goes on without a journal, and logs it', async () => {
    const disk = memoryDisk(BEFORE, {
      before: (operation) => {
        if (operation === 'write journal') throw systemError('EROFS', -30);
      },
    });
    const { deps, logged } = processAt(disk);
    expect((await transact(deps, theOrder(), never)).kind).toBe('applied');
    expect(disk.texts()).toEqual(AFTER);
    expect(logged).toEqual([
      ['warning', 'a patch is applied without a journal, so a kill in the middle could leave it half done'],
    ]);
  });

  it('deletes a link, not what it leads to', async () => {
    const disk = memoryDisk(inFolder({ target: 'a\n' }));
    disk.link('/ws/link');
    const link = { kind: 'file', real: '/ws/target', entry: '/ws/link', file: textFile('a\n') } as const;
    expect((await run(disk, orderOf(planned(patchOf('*** Delete File: link'), { link })))).kind).toBe('applied');
    expect(disk.texts()).toEqual({ '/ws/target': 'a\n' });
  });
});
