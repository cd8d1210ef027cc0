/** Another user of this machine, for specs of what is kept from one. */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';

/** A user who owns nothing. */
const NOBODY = 65_534;

const ENV = { PATH: '/usr/bin:/bin' };

const run = (argv: readonly string[], ids: object): SpawnSyncReturns<string> =>
  spawnSync(argv[0] as string, argv.slice(1), { ...ids, cwd: '/', env: ENV, encoding: 'utf8' });

/**
 * Runs a command as another user: root can, and whoever may use sudo without a password. Undefined for everyone else; on a build server, where
 * these specs must run, it throws instead.
 */
export const otherUser = (): ((argv: readonly string[]) => SpawnSyncReturns<string>) | undefined => {
  if (process.getuid?.() === 0) return (argv) => run(argv, { uid: NOBODY, gid: NOBODY });
  const sudo = ['sudo', '-n', '-u', `#${NOBODY}`, '--'];
  if (run([...sudo, 'true'], {}).status === 0) return (argv) => run([...sudo, ...argv], {});
  if (process.env.CI)
    throw new Error('this spec needs a second user: run it as root, or where sudo asks for no password');
  return undefined;
};
