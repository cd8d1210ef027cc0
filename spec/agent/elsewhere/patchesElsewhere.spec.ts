import { firstValueFrom, NEVER, of, throwError } from 'rxjs';
import { patchesElsewhere } from '../../../src/agent/elsewhere/toolsElsewhere';
import type { PatchOrder } from '../../../src/executor/applying/transact';
import type { FileChange } from '../../../src/executor/files';
import type { WholeFiles } from '../../../src/executor/remote/remoteFiles';
import { RpcError } from '../../../src/protocol/jsonrpc/messages';
import { patchOf, planned } from '../../executor/patch/support';

const plan = planned(patchOf('*** Add File: a', '+x'));
const order = (own: Partial<PatchOrder> = {}): PatchOrder => ({ plan, mayWrite: () => true, ...own });

/** What an order comes to, and by which files. */
const applied = (given: PatchOrder, change: WholeFiles['change']) => {
  const seen: unknown[] = [];
  const by = (name: string) =>
    ({
      change: (changes: readonly FileChange[]) => {
        seen.push([name, changes.map(({ real }) => real)]);
        return change(changes);
      },
    }) as unknown as WholeFiles;
  patchesElsewhere({ files: by('free'), confined: by('confined') })
    .apply(given)
    .subscribe((outcome) => seen.push(outcome));
  return seen;
};
const done = () => of({ kind: 'applied' as const });

describe('patchesElsewhere', () => {
  it('sends all files at once, in the sandbox of the thread or as a person approved', () => {
    const outcome = { kind: 'applied', summary: plan.summary };
    expect(applied(order({ within: 'sandbox' }), done)).toEqual([['confined', ['/ws/a']], outcome]);
    expect(applied(order(), done)).toEqual([['free', ['/ws/a']], outcome]);
  });

  it('sends nothing that may not be written, with the error of this machine', () => {
    const message = 'Failed to write file a: /ws/a is outside the folders that may be written. No file was changed';
    expect(applied(order({ mayWrite: () => false }), done)).toEqual([{ kind: 'failed', message }]);
  });

  it.each<[string, WholeFiles['change'], RegExp]>([
    ['what the executor could not do', () => of({ kind: 'failed' as const, message: 'full' }), /^full$/],
    ['a refusal', () => throwError(() => new RpcError(-32603, 'no sandbox')), /did not apply the patch: no sandbox/],
    [
      'that a lost connection says nothing',
      () => throwError(() => new Error('lost')),
      /^It is not known whether the executor applied the patch: lost\. .* Read the files before you go on$/,
    ],
  ])('reports %s', (_, change, words) => {
    expect(applied(order(), change)[1]).toEqual({ kind: 'failed', message: expect.stringMatching(words) });
  });

  it('goes file by file where the executor does not know the method', async () => {
    const written: string[] = [];
    const missing = () => throwError(() => Object.assign(new Error('not there'), { code: 'ENOENT' }));
    const files = {
      change: () => throwError(() => new RpcError(-32601, 'x')),
      read: missing,
      makeDirectory: () => of(undefined),
      write: (path: string) => {
        written.push(path);
        return of(undefined);
      },
    } as unknown as WholeFiles;
    const outcome = await firstValueFrom(patchesElsewhere({ files, confined: files }).apply(order()));
    expect([outcome, written]).toEqual([{ kind: 'applied', summary: plan.summary }, ['/ws/a']]);
  });

  it('never ends by itself while the executor is at it', () => {
    expect(applied(order(), () => NEVER)).toHaveLength(1);
  });
});
