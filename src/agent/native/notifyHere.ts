/** Starts the program of `notify` on this machine. */
import { delimiter, isAbsolute } from 'node:path';
import { trustDeps } from '../../executor/sandbox/belongsToSystem';
import { isProgram } from '../../io/paths/look';
import { spawnHere } from '../../io/processes/spawnHere';
import { findProgram, trustedFolders } from '../../io/processes/trustedFolders';
import type { NativeDeps } from '../nativeAgent';
import type { Wiring } from '../wiring/wiring';

/**
 * Starts the program with the environment and the folder of the server, without its streams, and does not wait for it: it may outlive the
 * server. As nobody is asked, the program is not taken from a folder of the workspace. Errors are logged, without the arguments.
 */
export const notifyHere =
  ({ processInfo, log }: Pick<Wiring, 'processInfo' | 'log'>): NativeDeps['notify'] =>
  ({ argv: [name = '', ...args], workspace }) => {
    const fail = (reason: string) =>
      log('warning', 'the program of notify could not be run', { program: name, reason });
    const { env, cwd, platform } = processInfo;
    const folders = trustedFolders(trustDeps(processInfo), env.PATH, [cwd, workspace]);
    const program = isAbsolute(name)
      ? name
      : findProgram({ isProgram, platform }, name, name.includes('/') ? [] : folders);
    if (program === undefined)
      return fail('it is in no folder of PATH outside of the workspace; name its absolute path');
    try {
      const PATH = folders.join(delimiter); // of what the program starts
      const child = spawnHere(program, args, { cwd, env: { ...env, PATH }, stdio: 'ignore', detached: true });
      child.on('error', ({ message }) => fail(message));
      child.unref();
    } catch (error) {
      fail((error as Error).message);
    }
  };
