import { firstValueFrom, lastValueFrom, toArray } from 'rxjs';
import { applyPatch } from '../../../src/executor/applying/applyPatch';
import { patchOf, planned } from '../patch/support';
import { memoryDisk } from './memoryDisk';
import { AFTER, BEFORE, orderOf, processAt, theOrder } from './support';

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('applyPatch', () => {
  it('emits the outcome once and completes', async () => {
    const disk = memoryDisk(BEFORE);
    const outcomes = await lastValueFrom(applyPatch(processAt(disk).deps)(theOrder()).pipe(toArray()));
    expect(outcomes).toEqual([{ kind: 'applied', summary: theOrder().plan.summary }]);
    expect(disk.texts()).toEqual(AFTER);
  });

  it('does nothing before it is subscribed', async () => {
    const disk = memoryDisk(BEFORE);
    applyPatch(processAt(disk).deps)(theOrder());
    await settled();
    expect(disk.operations).toEqual([]);
  });

  it('takes everything back when nobody waits for it any more', async () => {
    const disk = memoryDisk(BEFORE);
    const subscription = applyPatch(processAt(disk).deps)(theOrder()).subscribe();
    disk.faults.before = (operation) => void (operation.startsWith('rename') && subscription.unsubscribe());
    while (!disk.operations.includes('remove journal')) await settled();
    expect([disk.texts(), disk.kept.size]).toEqual([BEFORE, 0]);
  });

  it('applies patches one after another', async () => {
    const disk = memoryDisk({ '/ws/f': 'a\n' });
    const apply = applyPatch(processAt(disk).deps);
    const change = (from: string, to: string) =>
      firstValueFrom(
        apply(orderOf(planned(patchOf('*** Update File: f', '@@', `-${from}`, `+${to}`), { f: `${from}\n` }))),
      );
    const outcomes = await Promise.all([change('a', 'b'), change('b', 'c'), change('b', 'd')]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['applied', 'applied', 'failed']);
    expect(disk.texts()).toEqual({ '/ws/f': 'c\n' });
  });

  it('rolls back what another process left, before it begins', async () => {
    const disk = memoryDisk(BEFORE);
    const died = processAt(disk, { pid: 6 });
    disk.faults.before = (operation) => {
      if (operation.startsWith('rename /ws/gone.txt') || died.logged.length > 0) {
        died.logged.push(['error', 'dead']);
        throw new Error('dead');
      }
    };
    await firstValueFrom(applyPatch(died.deps)(theOrder()));
    expect(disk.texts()['/ws/a.txt']).toBe('A\n');
    disk.faults.before = undefined;
    expect((await firstValueFrom(applyPatch(processAt(disk).deps)(theOrder()))).kind).toBe('applied');
    expect([disk.texts(), disk.kept.size]).toEqual([AFTER, 0]);
  });

  it('goes on after a fault of ours, which the subscriber gets', async () => {
    const disk = memoryDisk(BEFORE);
    const { deps } = processAt(disk);
    let isFirst = true;
    const newId = () => {
      if (!isFirst) return '1';
      isFirst = false;
      throw new Error('a bug');
    };
    const apply = applyPatch({ ...deps, newId });
    await expect(firstValueFrom(apply(theOrder()))).rejects.toThrow('a bug');
    expect((await firstValueFrom(apply(theOrder()))).kind).toBe('applied');
  });
});
