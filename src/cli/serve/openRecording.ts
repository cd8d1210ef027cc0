/** The tape that the server records itself on. */
import { catchError, map, type Observable } from 'rxjs';
import { version } from '../../../package.json';
import type { OwnedLog } from '../../app/log';
import type { OpenTape, TapeFileDeps } from '../../app/tape';
import { lazy } from '../../lazy';
import { reasonOf, withoutLogin } from '../../text';
import { exitCode } from '../exitCode';
import { startFolder } from '../startFolder';
import { thisProcess } from '../thisProcess';

const appTape = lazy(() => require('../../app/tape') as typeof import('../../app/tape'));

/** `nats` connects to an address. */
export type RecordingDeps = TapeFileDeps & { log: OwnedLog };

/** Emits the tape of the whole server, see `openTapeFile`. A server whose tape cannot be opened does not start. */
export const openRecording = ({ log, nats }: RecordingDeps, path: string): Observable<OpenTape> => {
  const meta = {
    version: appTape().TAPE_VERSION,
    recorder: `codex-rx ${version}`,
    started: new Date().toISOString(),
    command: ['codex-rx', ...process.argv.slice(2)],
    cwd: startFolder(process),
    codexHome: thisProcess().codexHome,
  };
  const deps = {
    now: () => performance.now(),
    soon: setImmediate,
    remark: (text: string) => log('warning', text),
  };
  return appTape()
    .openTapeFile({ nats }, path)
    .pipe(
      catchError((error) => refuse(path, error)),
      map((file) => {
        if (file.path !== path) log('warning', `another recorder writes to ${withoutLogin(path)}`, { tape: file.path });
        return appTape().openTape(file, meta, deps);
      }),
    );
};

const refuse = (path: string, error: unknown): never => {
  process.stderr.write(
    `The tape ${withoutLogin(path)} cannot be written: ${reasonOf(error)}. Name another file by --record.\n`,
  );
  return process.exit(exitCode.unusable);
};
