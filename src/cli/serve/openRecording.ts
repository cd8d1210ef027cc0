/** The tape that the server records itself on. */
import { catchError, map, type Observable } from 'rxjs';
import { version } from '../../../package.json';
import type { TapeFileDeps } from '../../app/tapes/openTapeFile';
import type { OwnedLog } from '../../io/log/createLog';
import { lazy } from '../../streams/lazy';
import { reasonOf } from '../../streams/text/reasons';
import { withoutLogin } from '../../streams/text/trim';
import type { OpenTape } from '../../tapes/files/openTape';
import { exitCode } from '../exitCode';
import { print } from '../terminal';
import { startFolder, thisProcess } from '../thisProcess';

const format = lazy(() => require('../../tapes/format/tape') as typeof import('../../tapes/format/tape'));
const tapeFiles = lazy(() => require('../../app/tapes/openTapeFile') as typeof import('../../app/tapes/openTapeFile'));
const tapes = lazy(() => require('../../tapes/files/openTape') as typeof import('../../tapes/files/openTape'));

/** `nats` connects to an address. */
type RecordingDeps = TapeFileDeps & { log: OwnedLog };

/** Emits the tape of the whole server, see `openTapeFile`. A server whose tape cannot be opened does not start. */
export const openRecording = ({ log, nats }: RecordingDeps, path: string): Observable<OpenTape> => {
  const meta = {
    version: format().TAPE_VERSION,
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
  return tapeFiles()
    .openTapeFile({ nats }, path)
    .pipe(
      catchError((error) => refuse(path, error)),
      map((file) => {
        if (file.path !== path) log('warning', `another recorder writes to ${withoutLogin(path)}`, { tape: file.path });
        return tapes().openTape(file, meta, deps);
      }),
    );
};

const refuse = (path: string, error: unknown): never => {
  const text = `The tape ${withoutLogin(path)} cannot be written: ${reasonOf(error)}. Name another file by --record.\n`;
  print(text, process.stderr);
  return process.exit(exitCode.unusable);
};
