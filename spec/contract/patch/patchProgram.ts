/**
 * A program that applies a patch to its folder and can be made to kill itself: before operation PATCH_DIES_AT of the disk. It prints the outcome, and
 * how many operations there were. Not a spec; `startPatch.ts` builds and starts it.
 */
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { concatMap, of } from 'rxjs';
import { applyPatch } from '../../../src/executor/applying/applyPatch';
import type { Disk, Journals, OpenFolder } from '../../../src/executor/applying/disk';
import { localJournals } from '../../../src/executor/localPatch/localJournals';
import { localDisk, patchHere } from '../../../src/executor/localPatch/patchHere';
import { filesHere } from '../../../src/io/disk/filesHere';
import { isOwnFolder } from '../../../src/io/disk/namedHere';
import { silentLog } from '../../../src/protocol/log';

const { PATCH_FILE = '', PATCH_JOURNALS = '', PATCH_HOME = '', PATCH_DIES_AT = '0' } = process.env;
let operations = 0;

const dying = <T extends object>(port: T): T =>
  new Proxy(port, {
    get: (target, name) => {
      const act: unknown = Reflect.get(target, name);
      if (typeof act !== 'function') return act;
      return (...args: unknown[]) => {
        operations += 1;
        if (operations === Number(PATCH_DIES_AT)) process.kill(process.pid, 'SIGKILL');
        return act.apply(target, args);
      };
    },
  });

const plainDisk = localDisk({ platform: process.platform });
const disk: Disk = dying({
  openFolder: async (path: string): Promise<OpenFolder> => dying(await plainDisk.openFolder(path)),
});
const { files, owners } = filesHere(dirname(dirname(PATCH_JOURNALS)));
const journals: Journals = dying(localJournals({ files, isOwn: isOwnFolder, pause: async () => {} }, PATCH_JOURNALS));

const apply = applyPatch({
  disk,
  journals,
  digest: (bytes) => createHash('sha256').update(bytes).digest('hex'),
  newId: () => randomBytes(8).toString('hex'),
  owners,
  reported: new Set(),
  committedSince: async () => false,
  log: silentLog,
});

const { check } = patchHere({ codexHome: PATCH_HOME, platform: process.platform, log: silentLog });
check(readFileSync(PATCH_FILE, 'utf8'), process.cwd())
  .pipe(
    concatMap((plan) =>
      plan.kind === 'plan' ? apply({ plan, mayWrite: (real) => real.startsWith(`${process.cwd()}/`) }) : of(plan),
    ),
  )
  .subscribe((outcome) => process.stdout.write(`${JSON.stringify({ ...outcome, operations })}\n`));
