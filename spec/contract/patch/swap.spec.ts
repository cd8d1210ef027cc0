/** Patches while somebody who may write the folder swaps a part of the path for a link that leads out of it. */
import { once } from 'node:events';
import { join } from 'node:path';
import { concatMap, firstValueFrom, of } from 'rxjs';
import { patchHere } from '../../../src/executor/localPatch/patchHere';
import { silentLog } from '../../../src/protocol/log';
import { newFolder, put, textsIn } from '../../executor/localPatch/files';
import { patchOf } from '../../executor/patch/support';
import { build, ended, start } from './startPatch';

const ROUNDS = 150;

describe('a patch in a folder that is swapped for a link', () => {
  const root = newFolder();
  const program = build('swapLinks', root);
  const [ws, outside] = [join(root, 'ws'), join(root, 'outside')];
  const { check, apply } = patchHere({ codexHome: join(root, 'home'), platform: process.platform, log: silentLog });
  const mayWrite = (real: string): boolean => real.startsWith(`${ws}/`);

  const patch = (round: number): string =>
    patchOf(
      ...['*** Add File: d/f', `+${round}`, `*** Add File: d/new${round}`, '+new', `*** Add File: d/deep${round}/er/f`],
      ...['*** Update File: d/from', '*** Move to: d/to', '@@', ' from', '*** Add File: d/from', '+from'],
    );

  it('changes nothing outside', async () => {
    const secrets = { f: '0\n', from: 'from\n', 'deep/f': 'x\n' };
    for (const [path, text] of Object.entries(secrets)) {
      put(outside, path, text);
      put(ws, `d/${path}`, text);
    }
    const attacker = start([process.execPath, program, join(ws, 'd'), outside], root, {});
    const isEnded = ended(attacker);
    if (attacker.stdout) await once(attacker.stdout, 'data');
    const outcomes: Record<string, number> = { applied: 0, failed: 0 };
    for (let round = 1; round <= ROUNDS; round += 1) {
      const outcome$ = check(patch(round), ws).pipe(
        concatMap((plan) => (plan.kind === 'plan' ? apply({ plan, mayWrite }) : of(plan))),
      );
      const { kind } = await firstValueFrom(outcome$);
      outcomes[kind] = (outcomes[kind] ?? 0) + 1;
      expect([round, textsIn(outside)]).toEqual([round, secrets]);
    }
    attacker.kill('SIGKILL');
    await isEnded;
    expect([outcomes.applied, outcomes.failed].map((count) => (count ?? 0) > 0)).toEqual([true, true]); // the two met
  }, 120_000);
});
