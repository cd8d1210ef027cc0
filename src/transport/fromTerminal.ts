/** Owns the edge to a child process that has a terminal, by whatever can open one. */
import { defer, Observable, of, type Subscription, take } from 'rxjs';
import type { Grace, ProcessSpec, WriteStatus } from '../protocol/exec';
import type { Backpressure } from '../streams';
import { cannotRun } from './cannotRun';
import type { Child, ChildDeps, ChildEvent } from './child';
import { type GroupLife, groupLife } from './groupLife';
import { openTerminal, type SpawnTerminal, type Terminal } from './terminal';

/** @param terminals what opens one, or undefined where nothing does; asked when one is needed */
export type TerminalDeps = Pick<ChildDeps, 'backpressure' | 'watch'> & { terminals?: () => SpawnTerminal | undefined };

const NONE =
  'processes with a tty need a package that opens terminals: reinstall codex-rx with its optional dependencies, or install node-pty beside it';
const NO_ARG0 = 'arg0 cannot be set for a process with a tty';
/** What says "no more" at a terminal: Ctrl-D. */
const END_OF_INPUT = Uint8Array.of(4);

/**
 * Starts a program with a terminal of 24 lines of 80. As `fromChild`, but all it says is one output, `pty`; its input is
 * open as long as it runs, takes what is written without waiting, and closing it is a Ctrl-D.
 * What it said last may be lost when its reader is slow for 200 ms then: node-pty waits no longer.
 */
export const fromTerminal = ({ terminals, ...deps }: TerminalDeps, spec: ProcessSpec): Observable<ChildEvent> =>
  defer(() => {
    const fail = (reason: string) => of<ChildEvent>({ kind: 'failed', reason });
    const spawn = terminals?.();
    if (spawn === undefined) return fail(NONE);
    if (spec.arg0 !== undefined) return fail(NO_ARG0);
    const trouble = cannotRun(spec);
    return trouble === undefined ? living(deps, () => openTerminal(spawn, spec), spec.grace) : fail(trouble);
  });

const living = (
  { backpressure, watch }: Omit<TerminalDeps, 'terminals'>,
  open: () => Terminal,
  grace: Grace | undefined,
): Observable<ChildEvent> =>
  new Observable((subscriber) => {
    const terminal = open();
    const drop = () => terminal.resume();
    const closeInput = () => terminal.write(END_OF_INPUT);
    const life = groupLife({ group: terminal.pid, grace, watch, closeInput, drain: drop, letGo: drop });
    const reading = readTerminal(terminal, backpressure, (chunk) =>
      subscriber.next({ kind: 'output', stream: 'pty', chunk }),
    );
    terminal.onExit(({ exitCode, signal }) => {
      life.exited();
      life.closed();
      subscriber.next({ kind: 'exited', exitCode: signal ? 128 + signal : exitCode });
      subscriber.next({ kind: 'closed' });
      subscriber.complete();
    });
    subscriber.next({ kind: 'started', child: controlsOf(terminal, life) });
    return () => {
      reading();
      life.leave();
    };
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

/** Pauses the terminal after a chunk that made the queue ahead long, until that drains. Returns what stops reading. */
const readTerminal = (
  terminal: Terminal,
  backpressure: Backpressure,
  tell: (chunk: Uint8Array) => void,
): (() => void) => {
  let waiting: Subscription | undefined;
  let isHeard = true;
  terminal.onData((chunk) => {
    if (!isHeard) return;
    tell(chunk);
    if (!backpressure.isFull()) return;
    terminal.pause();
    waiting?.unsubscribe();
    waiting = backpressure.drain$.pipe(take(1)).subscribe(() => terminal.resume());
  });
  return () => {
    isHeard = false;
    waiting?.unsubscribe();
  };
};
