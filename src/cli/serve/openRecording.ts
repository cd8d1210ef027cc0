/** The tape that the server records itself on. */

import { version } from '../../../package.json';
import type { OwnedLog } from '../../app/log';
import type { OpenTape } from '../../app/tape';
import { lazy } from '../../lazy';
import { reasonOf } from '../../text';
import { exitCode } from '../exitCode';
import { startFolder } from '../startFolder';
import { thisProcess } from '../thisProcess';

const appTape = lazy(() => require('../../app/tape') as typeof import('../../app/tape'));
const tape = lazy(() => require('../../tape') as typeof import('../../tape'));

/** Opens the tape of the whole server. A server whose tape cannot be opened does not start. */
export const openRecording = (path: string, log: OwnedLog): OpenTape => {
  const meta = {
    version: tape().TAPE_VERSION,
    recorder: `codex-rx ${version}`,
    started: new Date().toISOString(),
    command: ['codex-rx', ...process.argv.slice(2)],
    cwd: startFolder(process),
    codexHome: thisProcess().codexHome,
  };
  const deps = {
    now: () => performance.now(),
    soon: setImmediate,
    remark: (reason: string) => log('warning', 'the tape is incomplete', { reason }),
  };
  try {
    return appTape().openTape(path, meta, deps);
  } catch (error) {
    process.stderr.write(`The tape ${path} cannot be written: ${reasonOf(error)}. Name another file by --record.\n`);
    return process.exit(exitCode.unusable);
  }
};
