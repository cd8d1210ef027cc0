/** The process around the MCP server: its streams, its signals, its exit code. */
import { finalize, ignoreElements, tap } from 'rxjs';
import { type ServeOptions, serve } from '../../app/serve';
import { createLog, type OwnedLog } from '../../io/log/createLog';
import { secretValuesOf } from '../../io/log/secretValues';
import { NESTED_VARIABLE } from '../../io/processInfo';
import { closedBy } from '../../streams/closedBy';
import { lazy } from '../../streams/lazy/lazy';
import { withResource } from '../../streams/withResource';
import type { GivenTo } from '../command';
import { exitCode } from '../exitCode';
import { stopSignal } from '../stopSignal';
import { thisProcess } from '../thisProcess';
import { toOverrides, toRemarks } from './codexFlags';
import { openRecording } from './openRecording';
import type { SERVE_OPTIONS } from './options';
import { watchLoop } from './watchLoop';

/** The arguments of the server. */
export type Serve = GivenTo<typeof SERVE_OPTIONS, Record<never, never>>;

const FLUSH_LOG_MS = 200;

/** Serves MCP on the standard streams until input ends, the client is gone, or a signal comes; then exits with 0. */
export const serveProcess = (given: Serve): void => {
  const { stderr, env } = process;
  if (env[NESTED_VARIABLE]) refuse('codex-rx cannot be a tool of itself: take it out of mcp_servers in config.toml');
  for (const remark of toRemarks(given)) stderr.write(`codex-rx: ${remark}\n`);
  const log = createLog({
    level: given['log-level'],
    file: given['log-file'],
    stderr,
    secrets: () => secretValuesOf(env),
    env,
  });
  if (given.face === '0.28') refuseFaults(given);
  const deps = toDeps(given, log);
  const exit = (code: number) => void log.flush(FLUSH_LOG_MS).finally(() => process.exit(code));
  const fail = failWith(log, exit);
  const options = toServeOptions(given);
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
        finalize(close), // also where the server fails
      ),
    ),
  );

const natsRoom = lazy(() => require('../../fleet/link/natsHere') as typeof import('../../fleet/link/natsHere'));

const refuse = (why: string): never => {
  process.stderr.write(`${why}\n`);
  process.exit(exitCode.unusable);
};

/** Loaded by a face that needs it, as start-up time counts. */
const configRoom = lazy(() => require('../../app/startFault') as typeof import('../../app/startFault'));

/** Codex 0.28.0 ended at its start where it could not use the configuration. Source: its tapes proto-config-*. */
const refuseFaults = (given: Serve): void => {
  const fault = configRoom().startFault({ processInfo: thisProcess(given.cd), options: toServeOptions(given) });
  if (fault === undefined) return;
  process.stderr.write(`Error: error loading config: ${fault}\n`);
  process.exit(exitCode.failed);
};

const failWith =
  (log: OwnedLog, exit: (code: number) => void) =>
  (error: Error): void => {
    log('error', 'the server failed', { stack: error.stack });
    exit(exitCode.failed);
  };

/** The options of the daemon that its arguments mean. */
export const toServeOptions = (given: Serve): ServeOptions => ({
  engine: given.engine,
  codex: given.codex,
  tape: { path: given.tape, speed: toSpeed(given['tape-speed']), match: given['tape-match'] },
  modelTimeoutMs: given['model-timeout'] * 1000,
  overrides: [...given.config, ...toOverrides(given, given.model)],
  model: given.model,
  profile: given.profile,
  limits: {
    lock: given.lock,
    allowCallOverride: given['allow-call-override'],
    allowCallConfig: given['allow-call-config'],
  },
  face: given.face,
  events: given.events,
  threadIdInText: given['thread-id-in-text'],
  askTimeoutMs: given['ask-timeout'] * 1000,
  turnTimeoutMs: given['call-timeout'] * 1000,
  unusedThreadMs: given['keep-threads'] * 1000,
  bareDiffPaths: given.face === '0.28' ? 'absolute' : 'relative',
  statusTexts: given.face === '0.28' ? 'short' : 'whole',
});

const toSpeed = (speed: string): number | 'max' => (speed === 'max' ? 'max' : Number(speed));
