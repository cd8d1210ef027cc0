/** Owns the process around the server: its streams, signals, exit code. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { fromEvent, merge, take } from 'rxjs';
import { version } from '../../package.json';
import { IS_TOOL, serve } from '../app';
import { createLog, type OwnedLog } from '../app/log';
import type { OpenTape } from '../app/tape';
import type { ServeArguments } from './options';
import { secretsOf } from './secretsOf';

const FLUSH_LOG_MS = 200;

/** As for a command line that cannot be used. */
const UNUSABLE = 2;

const refuse = (why: string): never => {
  process.stderr.write(`${why}\n`);
  process.exit(UNUSABLE);
};

/** Serves MCP on the standard streams until input ends, the client is gone, or a signal comes; then exits with 0. */
export const serveProcess = (args: ServeArguments): void => {
  const { stdin, stdout, stderr, env } = process;
  if (env[IS_TOOL]) refuse('codex-rx cannot be a tool of itself: take it out of mcp_servers in config.toml');
  const log = createLog({ level: args['log-level'], file: args['log-file'], stderr, secrets: secretsOf(env), env });
  const exit = (code: number) => void log.flush(FLUSH_LOG_MS).finally(() => process.exit(code));
  const recording = args.record === undefined ? undefined : openRecording(args.record, log);
  const surroundings = {
    env,
    cwd: process.cwd(),
    codexHome: resolve(env.CODEX_HOME || join(env.HOME || homedir(), '.codex')),
    dist: __dirname,
    node: process.execPath,
    platform: process.platform,
    arch: process.arch,
    version,
  };
  const running = serve(
    {
      stdin,
      stdout,
      stop$: merge(fromEvent(process, 'SIGTERM'), fromEvent(process, 'SIGINT')).pipe(take(1)),
      log,
      surroundings,
      tape: recording?.tape,
    },
    {
      engine: args.engine,
      codex: args.codex,
      tape: { path: args.tape, speed: toSpeed(args['tape-speed']), match: args['tape-match'] },
      modelTimeoutMs: args['model-timeout'] * 1000,
      overrides: args.config,
      model: args.model,
      profile: args.profile,
      face: args.face,
      events: args.events === 'codex',
      askTimeoutMs: args['ask-timeout'] * 1000,
      turnTimeoutMs: args['call-timeout'] * 1000,
    },
  ).subscribe({
    error: (error: Error) => {
      log('error', 'the server failed', { stack: error.stack });
      exit(1);
    },
    complete: () => exit(0),
  });
  running.add(() => recording?.close());
  process.on('uncaughtException', (error) => {
    log('error', 'the server failed', { stack: error.stack });
    running.unsubscribe();
    exit(1);
  });
};

const toSpeed = (speed: string): number | 'max' => (speed === 'max' ? 'max' : Number(speed));

/** The tape of the whole daemon; a server whose tape cannot be opened does not start. */
const openRecording = (path: string, log: OwnedLog): OpenTape => {
  const { openTape } = require('../app/tape') as typeof import('../app/tape');
  const { TAPE_VERSION } = require('../transcript') as typeof import('../transcript');
  const { argv } = process;
  const meta = {
    version: TAPE_VERSION,
    recorder: `codex-rx ${version}`,
    started: new Date().toISOString(),
    command: ['codex-rx', ...argv.slice(2)],
  };
  const deps = {
    now: () => performance.now(),
    soon: setImmediate,
    tell: (reason: string) => log('warning', 'the tape is incomplete', { reason }),
  };
  try {
    return openTape(path, meta, deps);
  } catch (error) {
    process.stderr.write(`The tape cannot be written: ${(error as Error).message}\n`);
    return process.exit(1);
  }
};
