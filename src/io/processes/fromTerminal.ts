/** A child process with a terminal as an Observable. */
import { defer, Observable, of } from 'rxjs';
import type { ProcessSpec, WriteStatus } from '../../protocol/exec/process';
import type { Backpressure } from '../../streams/backpressure';
import { pauseWhileFull } from '../stdio/fromInput';
import type { Child, ChildDeps, ChildEvent } from './child';
import { type GroupLife, groupLife } from './groupLife';
import { markedEnvironment } from './markedEnvironment';
import { cannotRun } from './startFault';

/** What starting a program in a terminal needs. */
export type TerminalDeps = Pick<ChildDeps, 'backpressure' | 'watch'> & {
  /** Returns the function that opens terminals, or undefined if no package has one; called when one is needed. */
  terminals?: () => SpawnTerminal | undefined;
};

const NO_TERMINALS =
  'processes with a tty need a package that opens terminals: reinstall codex-rx with its optional dependencies, or install node-pty next to it';
const NO_ARG0 = 'arg0 cannot be set for a process with a tty';
/** Ctrl-D, the end of input at a terminal. */
const END_OF_INPUT = Uint8Array.of(4);

/**
 * Starts a program with a terminal of 80 columns and 24 rows. As `fromChild`, but all its output is one stream, `pty`; its input is
 * open as long as it runs, takes what is written without waiting, and closing it is a Ctrl-D.
 * The last output may be lost when its reader is slow at that moment: node-pty waits for it for 200 ms only.
 */
export const fromTerminal = ({ terminals, ...deps }: TerminalDeps, spec: ProcessSpec): Observable<ChildEvent> =>
  defer(() => {
    const fail = (reason: string) => of<ChildEvent>({ kind: 'failed', reason });
    const spawn = terminals?.();
    if (spawn === undefined) return fail(NO_TERMINALS);
    if (spec.arg0 !== undefined) return fail(NO_ARG0);
    const reason = cannotRun(spec);
    return reason === undefined ? run({ ...deps, spawn }, spec) : fail(reason);
  });

type RunDeps = Pick<TerminalDeps, 'backpressure' | 'watch'> & { spawn: SpawnTerminal };

const run = ({ backpressure, watch, spawn }: RunDeps, spec: ProcessSpec): Observable<ChildEvent> =>
  new Observable((subscriber) => {
    const { env, mark } = markedEnvironment(watch, spec);
    const terminal = openTerminal(spawn, { ...spec, env });
    const drop = () => terminal.resume();
    const closeInput = () => terminal.write(END_OF_INPUT);
    const life = groupLife({
      group: terminal.pid,
      grace: spec.grace,
      watch,
      mark,
      closeInput,
      drain: drop,
      release: drop,
    });
    subscriber.add(
      readTerminal(terminal, backpressure).subscribe((chunk) =>
        subscriber.next({ kind: 'output', stream: 'pty', chunk }),
      ),
    );
    terminal.onExit(({ exitCode, signal }) => {
      life.exited();
      life.closed();
      subscriber.next({ kind: 'exited', exitCode: signal ? 128 + signal : exitCode });
      subscriber.next({ kind: 'closed' });
      subscriber.complete();
    });
    subscriber.next({ kind: 'started', child: controlsOf(terminal, life) });
    return () => life.leave();
  });

const controlsOf = (terminal: Terminal, { isRunning, interrupt, terminate }: GroupLife): Child => {
  const write = (chunk: Uint8Array): Observable<WriteStatus> =>
    defer(() => {
      if (!isRunning()) return of('stdinClosed' as const);
      terminal.write(chunk);
      return of('accepted' as const);
    });
  return { write, closeStdin: () => write(END_OF_INPUT), signal: interrupt, terminate };
};

/** The output of a terminal, which is paused while the queue ahead is full. Never completes. */
const readTerminal = (terminal: Terminal, backpressure: Backpressure): Observable<Uint8Array> =>
  new Observable((subscriber) => {
    const pressure = pauseWhileFull(backpressure, terminal);
    terminal.onData((chunk) => {
      if (subscriber.closed) return;
      subscriber.next(chunk);
      pressure.check();
    });
    return pressure.stop;
  });

/** A child with a terminal, as node-pty has it. */
export type Terminal = {
  pid: number;
  onData: (listener: (chunk: Uint8Array) => void) => unknown;
  onExit: (listener: (end: { exitCode: number; signal?: number }) => void) => unknown;
  write: (chunk: Uint8Array) => void;
  pause: () => void;
  resume: () => void;
};

/** Starts a process in a terminal, as the package node-pty does. */
export type SpawnTerminal = (
  file: string,
  args: string[],
  options: { name: string; cols: number; rows: number; cwd: string; env: Record<string, string>; encoding: null },
) => Terminal;

/** Source: codex exec-server 0.142.0. */
const SIZE = { cols: 80, rows: 24 };

/** Starts the program of a spec, which must exist. Source: node-pty 1.1, which sets TERM and PWD. */
export const openTerminal = (spawn: SpawnTerminal, { argv, cwd, env }: ProcessSpec): Terminal => {
  const [program, ...args] = argv as [string, ...string[]];
  return spawn(program, args, { ...SIZE, name: env.TERM ?? 'xterm-256color', cwd, env, encoding: null });
};
