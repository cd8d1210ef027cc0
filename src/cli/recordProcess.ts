/** Owns the process around a recording: its streams, signals, exit code. */
import { fromEvent, map, merge } from 'rxjs';
import { version } from '../../package.json';
import { startRecording } from '../app/tape';
import { secretsOf } from './secretsOf';

/** What the command line says. */
export type RecordArguments = { out?: string; quiet: boolean; redact: boolean; '--': string[] };

const SIGNALS = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGUSR2'] as const;
/** A terminal sends these to the child as well. */
const OF_TERMINAL: readonly string[] = ['SIGINT', 'SIGQUIT'];

/** As shells have it. */
const NOT_FOUND = 127;
const NOT_STARTED = 126;

/** Runs the command behind `--` and tapes it; ends as that ended: the same exit code, or the same signal. */
export const recordProcess = ({ out, quiet, redact, '--': command }: RecordArguments): void => {
  const { stdin, stdout, stderr, pid, env } = process;
  const started = new Date();
  const passed = SIGNALS.filter((signal) => !(stderr.isTTY && OF_TERMINAL.includes(signal)));
  for (const signal of OF_TERMINAL) process.on(signal, () => {}); // the child decides what an interrupt means
  let end = (): void => process.exit(1);
  startRecording(
    {
      stdin,
      stdout,
      stderr,
      signal$: merge(...passed.map((signal) => fromEvent(process, signal).pipe(map(() => signal)))),
      now: () => performance.now(),
      tell: (word) => quiet || stderr.write(`codex-rx record: ${word}\n`),
      started,
      version,
      hide: redact ? secretsOf(env) : undefined,
    },
    out ?? `codex-rx-${started.toISOString().replaceAll(/[:.]/g, '-')}-${pid}.jsonl`,
    command,
  )
    .subscribe({
      next: (event) => {
        if (event.kind === 'failed') end = () => process.exit(event.code === 'ENOENT' ? NOT_FOUND : NOT_STARTED);
        if (event.kind === 'exited') end = () => endAs(event);
      },
      error: (error: Error) => {
        stderr.write(`codex-rx record: the tape cannot be written: ${error.message}\n`);
        process.exit(1);
      },
    })
    .add(() => end());
};

const endAs = ({ code, signal }: { code: number | null; signal: NodeJS.Signals | null }): void => {
  if (signal === null) process.exit(code ?? 0);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
};
