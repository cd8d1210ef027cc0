/** Another user of this machine, for specs of what is kept from one. */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { demand } from '../needs/needs';

/** A user who owns nothing. */
const NOBODY = 65_534;

/** Runs a command as another user, which only root can. */
export const asOtherUser = (argv: readonly string[]): SpawnSyncReturns<string> => {
  demand('root');
  return spawnSync(argv[0] as string, argv.slice(1), {
    uid: NOBODY,
    gid: NOBODY,
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    encoding: 'utf8',
  });
};
