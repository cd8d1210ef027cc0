import { firstValueFrom, of, throwError } from 'rxjs';
import type { Journals, StoredJournal } from '../../../src/executor/applying/disk';
import type { Permissions } from '../../../src/executor/sandbox/permissions';
import { NoAnswer } from '../../../src/executor/sandboxPatches/filesInside';
import { sandboxPatches } from '../../../src/executor/sandboxPatches/sandboxPatchesHere';
import type { OwnerState } from '../../../src/io/files/owner';
import type { Log } from '../../../src/protocol/log';

const SELF = { host: 'h', pid: 7, start: '1' };
const permissions = { roots: { workspace: ['/w'], temporary: [] } } as unknown as Permissions;
const changes = [
  {
    path: 'a',
    absolute: '/w/a',
    real: '/w/a',
    found: 'nothing',
    after: { dataBase64: Buffer.from('a').toString('base64') },
  },
];
const journalText = (holder: object, own: object = {}) =>
  JSON.stringify({ journal: { version: 1, id: 'b', host: 'h', pid: 3, folders: [], entries: [] }, holder, ...own });

type Answer = (method: string, params: { phase?: string }) => unknown;

/** Processes of an odd number are alive; of other hosts nothing is known. */
const stateOf = ({ host, pid, start }: typeof SELF): OwnerState => {
  if (host !== SELF.host) return 'unknown';
  if (pid === SELF.pid) return start === SELF.start ? 'self' : 'ended';
  return pid % 2 === 1 ? 'lives' : 'ended';
};

/** A process with these journals; `done` is what it does, in order. */
const around = (found: StoredJournal[] = [], answer: Answer = () => ({ kind: 'applied' }), broken?: keyof Journals) => {
  const done: unknown[] = [];
  const kept = new Map(found.map((one) => [one.id, one]));
  const act = async (name: keyof Journals, id: string): Promise<void> => {
    if (name === broken) throw new Error('full');
    done.push([name, id]);
  };
  const journals: Journals = {
    write: async (id, text) => {
      await act('write', id);
      kept.set(id, { id, phase: 'open', text, writtenMs: 1 });
    },
    commit: async (id) => {
      await act('commit', id);
      const written = kept.get(id);
      if (written !== undefined) kept.set(id, { ...written, phase: 'committed' });
    },
    remove: async (id) => {
      await act('remove', id);
      kept.delete(id);
    },
    list: async () => [...kept.values()],
    claim: async () => () => {},
  };
  const requestBy = (name: string) => (method: string, params: object) => {
    done.push([name, method, ...('phase' in params ? [params.phase] : [])]);
    const result = answer(method, params);
    return result instanceof Error ? throwError(() => result) : of(result);
  };
  const log: Log = (level, message) => void done.push([level, message]);
  const patches = sandboxPatches({
    journals,
    owners: { self: () => SELF, stateOf },
    newId: () => 'a',
    isThere: async () => true,
    insideOf: (own) => requestBy(own === undefined ? 'ceiling' : 'other'),
    log,
  });
  const change = () => firstValueFrom(patches.change({ permissions, request: requestBy('own') }, { changes }));
  return { patches, change, done };
};

describe('sandboxPatches', () => {
  it('writes the journal of a patch before it is applied, and settles it once all files are in place', async () => {
    const { change, done } = around();
    expect(await change()).toEqual({ kind: 'applied' });
    expect(done).toEqual([
      ['own', 'environment/info'],
      ['write', 'a'],
      ['own', 'fs/applyChanges'],
      ['commit', 'a'],
      ['own', 'fs/settleChanges', 'committed'],
      ['remove', 'a'],
    ]);
  });

  it('has nothing to settle if the server in the sandbox has taken a patch back', async () => {
    const failed = { kind: 'failed', message: 'full' };
    const { change, done } = around([], () => failed);
    expect(await change()).toBe(failed);
    expect(done).toEqual([
      ['own', 'environment/info'],
      ['write', 'a'],
      ['own', 'fs/applyChanges'],
      ['remove', 'a'],
    ]);
  });

  it('writes none for a patch whose sandbox cannot be made', async () => {
    const { change, done } = around([], () => new Error('no sandbox'));
    await expect(change()).rejects.toThrow('no sandbox');
    expect(done).toEqual([['own', 'environment/info']]);
  });

  it('takes a patch back in another server if the one that applies it is lost', async () => {
    const { change, done } = around([], (method) => (method === 'fs/applyChanges' ? new Error('lost') : {}));
    await expect(change()).rejects.toThrow('lost');
    expect(done).toEqual([
      ['own', 'environment/info'],
      ['write', 'a'],
      ['own', 'fs/applyChanges'],
      ['other', 'fs/settleChanges', 'open'],
      ['warning', 'a patch that was interrupted is settled'],
      ['remove', 'a'],
    ]);
  });

  it.each<[string, object, StoredJournal['phase'], unknown[]]>([
    [
      'settles in the same sandbox what an ended process left',
      { holder: { ...SELF, pid: 4 }, permissions },
      'open',
      [
        ['other', 'fs/settleChanges', 'interrupted'],
        ['warning', 'a patch that was interrupted is settled'],
        ['remove', 'b'],
      ],
    ],
    [
      'takes for ended one of its own number, as in a container that started again',
      { holder: { ...SELF, start: '0' } },
      'committed',
      [
        ['ceiling', 'fs/settleChanges', 'committed'],
        ['remove', 'b'],
      ],
    ],
    ['leaves what another process is at', { holder: { ...SELF, pid: 5 } }, 'open', []],
    ['leaves what a process of another host is at', { holder: { ...SELF, host: 'i', pid: 4 } }, 'open', []],
  ])('%s', async (_, { holder, ...own }: { holder?: object }, phase, expected) => {
    const { patches, done } = around([{ id: 'b', phase, text: journalText(holder ?? {}, own), writtenMs: 1 }]);
    await patches.recover();
    expect(done).toEqual(expected);
  });

  it('removes a journal that cannot be read', async () => {
    const { patches, done } = around([{ id: 'b', phase: 'open', text: 'x', writtenMs: 1 }]);
    await patches.recover();
    expect(done).toEqual([['remove', 'b']]);
  });

  it('keeps a journal whose patch cannot be rolled back now, and logs it', async () => {
    const left = { id: 'b', phase: 'open' as const, text: journalText({ ...SELF, pid: 4 }), writtenMs: 1 };
    const { patches, done } = around([left], () => new Error('no sandbox'));
    await patches.recover();
    expect(done).toEqual([
      ['ceiling', 'fs/settleChanges', 'interrupted'],
      ['error', 'a patch that was interrupted could not be settled'],
    ]);
  });

  it('tries no second time to roll back a patch for which no server answers, so that it holds up no other', async () => {
    const left = { id: 'b', phase: 'open' as const, text: journalText({ ...SELF, pid: 4 }), writtenMs: 1 };
    const { change, done } = around([left], (method, { phase }) =>
      phase === 'interrupted' ? new NoAnswer(method, 1) : { kind: 'applied' },
    );
    await change();
    await change();
    expect(done.filter((one) => JSON.stringify(one) === '["ceiling","fs/settleChanges","interrupted"]')).toHaveLength(
      1,
    );
    expect(done.filter((one) => JSON.stringify(one) === '["remove","a"]')).toHaveLength(2);
  });

  it('has applied a patch whose replaced files the server does not remove, and lets another one do that', async () => {
    let lost = true;
    const { change, done } = around([], (_, { phase }) => {
      if (phase !== 'committed' || !lost) return { kind: 'applied' };
      lost = false;
      return new Error('lost');
    });
    expect(await change()).toEqual({ kind: 'applied' });
    expect(done.slice(-4)).toEqual([
      ['commit', 'a'],
      ['own', 'fs/settleChanges', 'committed'],
      ['other', 'fs/settleChanges', 'committed'],
      ['remove', 'a'],
    ]);
  });

  it('rolls back the others if one cannot be rolled back', async () => {
    const journalOf = (id: string, own?: object): StoredJournal => ({
      id,
      phase: 'open',
      text: journalText({ ...SELF, pid: 4 }, own),
      writtenMs: 1,
    });
    let lost = true;
    const answer = () => {
      const result = lost ? new Error('no sandbox') : {};
      lost = false;
      return result;
    };
    const { patches, done } = around([journalOf('b'), journalOf('c', { permissions })], answer);
    await patches.recover();
    expect(done).toEqual([
      ['ceiling', 'fs/settleChanges', 'interrupted'],
      ['error', 'a patch that was interrupted could not be settled'],
      ['other', 'fs/settleChanges', 'interrupted'],
      ['warning', 'a patch that was interrupted is settled'],
      ['remove', 'c'],
    ]);
  });

  it('applies a patch without a journal if none can be written', async () => {
    const { change, done } = around([], undefined, 'write');
    expect(await change()).toEqual({ kind: 'applied' });
    expect(done).toEqual([
      ['own', 'environment/info'],
      ['warning', 'a patch is applied without a journal, so a kill in the middle could leave it half done'],
      ['own', 'fs/applyChanges'],
      ['own', 'fs/settleChanges', 'committed'],
    ]);
  });

  it('applies patches one after another, also after one that failed', async () => {
    let lost = true;
    const { change, done } = around([], (method) => {
      if (method !== 'fs/applyChanges' || !lost) return { kind: 'applied' };
      lost = false;
      return new Error('lost');
    });
    const [first, second] = await Promise.allSettled([change(), change()]);
    expect([first?.status, second?.status]).toEqual(['rejected', 'fulfilled']);
    expect(done.slice(-6)).toEqual([
      ['own', 'environment/info'],
      ['write', 'a'],
      ['own', 'fs/applyChanges'],
      ['commit', 'a'],
      ['own', 'fs/settleChanges', 'committed'],
      ['remove', 'a'],
    ]);
  });
});
