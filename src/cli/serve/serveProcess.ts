/** The process around the server of MCP or ACP: its streams, its signals, its exit code. */
import { catchError, finalize, ignoreElements, map, type Observable, tap } from 'rxjs';
import { version } from '../../../package.json';
import { type ServeOptions, serve } from '../../app/serve';
import type { TapeFileDeps } from '../../app/tapes/openTapeFile';
import { createLog, type OwnedLog } from '../../io/log/createLog';
import { NESTED_VARIABLE } from '../../io/serverProcess/serverProcess';
import { closedBy } from '../../streams/ends';
import { lazy } from '../../streams/lazy';
import { reasonOf } from '../../streams/text/reasons';
import { withoutLogin } from '../../streams/text/trim';
import { withResource } from '../../streams/withResource';
import type { OpenTape } from '../../tapes/files/openTape';
import { exitWithoutLookups, remarkAs } from '../ending';
import { exitCode } from '../exitCode';
import { stopSignal } from '../signals';
import { print } from '../terminal';
import { startFolder, thisProcess } from '../thisProcess';
import { toRemarks } from './codexFlags';
import { type Serve, toServeOptions } from './toServeOptions';
import { watchLoop } from './watchLoop';

/** Collected by the first record of the log. */
const secrets = lazy(() => require('../../io/log/secretValues') as typeof import('../../io/log/secretValues'));

/** Loaded if tasks outlive their client. */
const behind = lazy(() => require('./standBehind') as typeof import('./standBehind'));

const FLUSH_LOG_MS = 200;

/** Serves MCP, or ACP, on the standard streams until input ends, the client is gone, or a signal comes; then exits with 0. */
export const serveProcess = (given: Serve, protocol?: 'acp'): void => {
  const { stderr, env } = process;
  const outlives = given['tasks-outlive'] > 0;
  if (outlives && behind().standInFront()) return;
  if (env[NESTED_VARIABLE]) refuse('this server cannot be a tool of itself: take it out of mcp_servers in config.toml');
  toRemarks(given).forEach(remarkAs(''));
  const log = createLog({
    level: given['log-level'],
    file: given['log-file'],
    stderr,
    secrets: () => secrets().secretValuesOf(env),
    env,
  });
  if (given.face === '0.28') refuseFaults(given);
  const deps = { ...toDeps(given, log), ...(outlives && { left$: behind().frontLeft() }) };
  const exit = (code: number) => void log.flush(FLUSH_LOG_MS).finally(() => exitWithoutLookups(code));
  const fail = failWith(log, exit);
  const options = toServeOptions(given, protocol);
  const serving$ = given.record === undefined ? serve(deps, options) : recorded(deps, options, given.record);
  const running = serving$.subscribe({ error: fail, complete: () => exit(exitCode.ok) });
  process.on('uncaughtException', (error) => {
    fail(error);
    running.unsubscribe();
  });
};

type Deps = Parameters<typeof serve>[0] & { log: OwnedLog };

const toDeps = ({ cd }: Serve, log: OwnedLog): Deps => ({
  stdin: process.stdin,
  stdout: process.stdout,
  stop$: stopSignal(),
  log,
  processInfo: thisProcess(cd),
  beforeCalls: (make) => {
    watchLoop();
    return make();
  },
});

/** Serves, and ends when the tape is where it belongs. */
const recorded = (deps: Deps, options: ServeOptions, path: string): ReturnType<typeof serve> =>
  openRecording({ log: deps.log, nats: natsRoom().natsHere({ ...deps, options }) }, path).pipe(
    withResource(({ tape, close, settled$ }) =>
      serve({ ...deps, tape }, options).pipe(
        closedBy(() => {
          const { trouble } = close();
          return settled$.pipe(
            tap(
              (late) =>
                late !== undefined &&
                trouble === undefined &&
                deps.log('warning', 'the tape is incomplete', { reason: late }),
            ),
            ignoreElements(),
          );
        }),
        finalize(close), // also if the server fails
      ),
    ),
  );

const natsRoom = lazy(() => require('../../fleet/link/connectNats') as typeof import('../../fleet/link/connectNats'));

const refuse = (why: string): never => {
  remarkAs('')(why);
  return process.exit(exitCode.unusable);
};

/** Loaded by a face that needs it, as start-up time counts. */
const faultAtStart = lazy(() => require('../../agent/wiring/wiring') as typeof import('../../agent/wiring/wiring'));

/** Codex 0.28.0 ended at its start if it could not use the configuration. Source: its tapes proto-config-*. */
const refuseFaults = (given: Serve): void => {
  const fault = faultAtStart().startFault({ processInfo: thisProcess(given.cd), options: toServeOptions(given) });
  if (fault === undefined) return;
  print(`Error: error loading config: ${fault}\n`, process.stderr);
  process.exit(exitCode.failed);
};

const failWith =
  (log: OwnedLog, exit: (code: number) => void) =>
  (error: Error): void => {
    log('error', 'the server failed', { stack: error.stack });
    exit(exitCode.failed);
  };

const format = lazy(() => require('../../tapes/format/tape') as typeof import('../../tapes/format/tape'));
const tapeFiles = lazy(() => require('../../app/tapes/openTapeFile') as typeof import('../../app/tapes/openTapeFile'));
const tapes = lazy(() => require('../../tapes/files/openTape') as typeof import('../../tapes/files/openTape'));

/** `nats` connects to an address. */
type RecordingDeps = TapeFileDeps & { log: OwnedLog };

/** Emits the tape of the whole server, see `openTapeFile`. A server whose tape cannot be opened does not start. */
const openRecording = ({ log, nats }: RecordingDeps, path: string): Observable<OpenTape> => {
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
      catchError((error) => refuseTape(path, error)),
      map((file) => {
        if (file.path !== path) log('warning', `another recorder writes to ${withoutLogin(path)}`, { tape: file.path });
        return tapes().openTape(file, meta, deps);
      }),
    );
};

const refuseTape = (path: string, error: unknown): never =>
  refuse(`the tape ${withoutLogin(path)} cannot be written: ${reasonOf(error)}; name another file by --record`);
