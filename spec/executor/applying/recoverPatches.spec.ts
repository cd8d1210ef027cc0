import { recoverPatches } from '../../../src/executor/applying/recoverPatches';
import { transact } from '../../../src/executor/applying/transact';
import { type Faults, type MemoryDisk, memoryDisk, systemError, WRITTEN_MS } from './memoryDisk';
import { AFTER, BEFORE, type Logged, processAt, theOrder } from './support';

const never = new AbortController().signal;

/** After `count` operations none succeeds any more: the process is dead. */
const dyingAt = (count: number): Faults => ({
  before: (_, at) => {
    if (at > count) throw new Error('the process is dead');
  },
});

/** The disk as a process has left it that was killed. */
const leftBy = async (count: number, faults: Faults = {}): Promise<MemoryDisk> => {
  const disk = memoryDisk(BEFORE, faults);
  const death = dyingAt(count).before;
  faults.before = death;
  await transact(processAt(disk, { pid: 6 }).deps, theOrder(), never);
  faults.before = undefined;
  return disk;
};

const recover = (disk: MemoryDisk, how = {}) => {
  const { deps, logged } = processAt(disk, how);
  return recoverPatches(deps).then(() => logged);
};

/** How many operations a whole patch takes. */
const countOperations = async (faults: Faults = {}): Promise<number> => {
  const disk = memoryDisk(BEFORE, faults);
  await transact(processAt(disk).deps, theOrder(), never);
  return disk.operations.length;
};

const isWhole = (disk: MemoryDisk): unknown => [
  JSON.stringify(disk.texts()) === JSON.stringify(AFTER) ? AFTER : disk.texts(),
  disk.kept.size,
];

describe('recoverPatches', () => {
  it.each<[string, Faults]>([
    ['', {}],
    [' without hard links', { links: 'none' }],
  ])('brings all files back or leaves all changed, wherever a process was killed%s', async (_, faults) => {
    const count = await countOperations({ ...faults });
    const outcomes = new Set<string>();
    for (let killed = 0; killed <= count; killed += 1) {
      const disk = await leftBy(killed, { ...faults });
      await recover(disk);
      const isDone = disk.texts()['/ws/a.txt'] === 'A\n';
      outcomes.add(isDone ? 'done' : 'back');
      expect([killed, ...[isWhole(disk)].flat()]).toEqual([killed, isDone ? AFTER : BEFORE, 0]);
      expect([killed, disk.folders.has('/ws/new')]).toEqual([killed, isDone]);
    }
    expect([...outcomes].sort()).toEqual(['back', 'done']);
  });

  it('goes on where it was killed itself', async () => {
    const count = await countOperations();
    for (let killed = 0; killed <= count; killed += 3) {
      for (let again = 1; again < 60; again += 7) {
        const faults: Faults = {};
        const disk = await leftBy(killed, faults);
        faults.before = dyingAt(disk.operations.length + again).before;
        await recover(disk, { pid: 8 });
        faults.before = undefined;
        await recover(disk, { pid: 9 });
        const isDone = disk.texts()['/ws/a.txt'] === 'A\n';
        expect([killed, again, ...[isWhole(disk)].flat()]).toEqual([killed, again, isDone ? AFTER : BEFORE, 0]);
      }
    }
  });

  /** Killed when some files are new. */
  const halfDone = async (): Promise<MemoryDisk> => {
    const disk = memoryDisk(BEFORE);
    await transact(processAt(disk, { pid: 6 }).deps, theOrder(), never);
    const middle = disk.operations.findLastIndex((operation) => operation.startsWith('rename'));
    return leftBy(middle);
  };

  it('logs what it rolled back', async () => {
    const disk = await halfDone();
    expect(disk.texts()['/ws/a.txt']).toBe('A\n');
    expect(await recover(disk)).toEqual([['warning', 'a patch that was interrupted is rolled back']]);
    expect(disk.texts()).toEqual(BEFORE);
    expect(await recover(disk)).toEqual([]);
  });

  it.each<[string, object, Logged[]]>([
    ['whose process lives', { alive: [6, 7] }, []],
    [
      'of which it cannot know whether its process lives, and logs it once',
      { host: 'elsewhere' },
      [['warning', 'a patch may be interrupted: whether its process still runs cannot be known from here']],
    ],
  ])('leaves a patch alone %s', async (_, how, logs) => {
    const disk = await halfDone();
    const before = disk.texts();
    const { deps, logged } = processAt(disk, how);
    await recoverPatches(deps);
    await recoverPatches(deps);
    expect(logged).toEqual(logs);
    expect([disk.texts(), disk.kept.size]).toEqual([before, 1]);
  });

  /** Killed when all files are new, and nobody has noted it. */
  const allDone = async (): Promise<MemoryDisk> => {
    const disk = memoryDisk(BEFORE);
    await transact(processAt(disk, { pid: 6 }).deps, theOrder(), never);
    return leftBy(disk.operations.indexOf('commit journal'));
  };

  it('completes a patch whose files are all new', async () => {
    const disk = await allDone();
    expect(await recover(disk)).toEqual([['warning', 'a patch that was interrupted is completed']]);
    expect([disk.texts(), disk.kept.size]).toEqual([AFTER, 0]);
  });

  it.each<[string, (disk: MemoryDisk) => void, Record<string, string>]>([
    ['edited a file', (disk) => disk.put('/ws/a.txt', Buffer.from('mine\n')), { ...AFTER, '/ws/a.txt': 'mine\n' }],
    ['put back a file by hand', (disk) => disk.put('/ws/a.txt', Buffer.from('a\n')), { ...AFTER, '/ws/a.txt': 'a\n' }],
    [
      'made again a file that was removed',
      (disk) => disk.put('/ws/gone.txt', Buffer.from('mine\n')),
      { ...AFTER, '/ws/gone.txt': 'mine\n' },
    ],
    [
      'replaced a file that was added',
      (disk) => disk.put('/ws/plain.txt', Buffer.from('mine\n')),
      { ...AFTER, '/ws/plain.txt': 'mine\n' },
    ],
    ['committed', () => {}, AFTER],
  ])('reverts nothing of a complete patch if somebody has %s since', async (what, act, left) => {
    const disk = await allDone();
    act(disk);
    await recover(disk, { committedMs: what === 'committed' ? WRITTEN_MS + 1 : 0 });
    expect([disk.texts(), disk.kept.size]).toEqual([left, 0]);
  });

  it('reverts nothing of half a patch that somebody has committed since, and names what it leaves', async () => {
    const disk = await halfDone();
    const names = () => Object.entries(disk.texts()).filter(([path]) => !path.includes('.codex-rx-'));
    const before = names();
    const fields: unknown[] = [];
    const { deps } = processAt(disk, { committedMs: WRITTEN_MS + 1 });
    await recoverPatches({ ...deps, log: (_, text, more) => fields.push([text, more]) });
    expect([names(), disk.kept.size]).toEqual([before, 0]);
    expect(fields).toMatchObject([
      [
        'a patch that was interrupted is left as it is',
        {
          leftovers: expect.arrayContaining([
            { path: '/ws/a.txt', reason: expect.stringMatching(/^it was committed/) },
          ]),
        },
      ],
    ]);
    expect(Object.keys(disk.texts()).filter((path) => path.endsWith('.new'))).toEqual([]);
  });

  it('waits until no other process settles, and leaves the rest to one that does so for too long', async () => {
    const disk = await halfDone();
    const before = disk.texts();
    const { deps, logged } = processAt(disk);
    await recoverPatches({ ...deps, journals: { ...deps.journals, claim: async () => undefined } });
    expect(logged).toEqual([['warning', 'another process settles interrupted patches for a long time']]);
    expect(disk.texts()).toEqual(before);
  });

  it('does not touch what was written since', async () => {
    const disk = await halfDone();
    disk.put('/ws/a.txt', Buffer.from('mine\n'));
    await recover(disk);
    const kept = Object.keys(disk.texts()).find((path) => path.endsWith('-0.old'));
    expect(disk.texts()).toEqual({ ...BEFORE, '/ws/a.txt': 'mine\n', [kept ?? '']: 'a\n' });
    expect(disk.kept.size).toBe(0);
  });

  it('does not remove what somebody has put into a new folder', async () => {
    const disk = await halfDone();
    disk.put('/ws/new/deep/mine', Buffer.from('mine\n'));
    await recover(disk);
    expect(disk.texts()).toEqual({ ...BEFORE, '/ws/new/deep/mine': 'mine\n' });
  });

  it('passes over folders that are gone', async () => {
    const disk = await halfDone();
    for (const path of Object.keys(disk.texts())) if (path.startsWith('/ws/sub/')) disk.remove(path);
    disk.folders.delete('/ws/sub');
    await recover(disk);
    const { '/ws/sub/b.txt': _, ...rest } = BEFORE;
    expect(disk.texts()).toEqual(rest);
  });

  it('removes journals that are none', async () => {
    const disk = memoryDisk(BEFORE);
    for (const [id, text] of Object.entries({ a: '', b: '{', c: '{"version":1}', d: 'null' })) {
      disk.kept.set(id, { id, phase: 'open', text, writtenMs: 1 });
    }
    await recover(disk);
    expect([disk.texts(), disk.kept.size]).toEqual([BEFORE, 0]);
  });

  it('logs what it cannot do, goes on with the next journal, and never rejects', async () => {
    const disk = await halfDone();
    const [first] = disk.kept.values();
    if (first) disk.kept.set('other', { ...first, id: 'other' });
    let isFirst = true;
    disk.faults.before = (operation) => {
      if (isFirst && operation.startsWith('remove journal')) {
        isFirst = false;
        throw systemError('EIO', -5);
      }
    };
    expect(await recover(disk)).toEqual([
      ['warning', 'a patch that was interrupted is rolled back'],
      ['error', 'a patch that was interrupted could not be settled'],
      ['warning', 'a patch that was interrupted is rolled back'],
    ]);
    disk.faults.before = () => {
      throw systemError('EACCES', -13);
    };
    expect(await recover(disk)).toEqual([['warning', 'journals of interrupted patches could not be read']]);
  });
});
