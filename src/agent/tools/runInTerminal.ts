/** Runs one command in a terminal of the client: its events and its time limit. */
import { concat, concatMap, defer, map, merge, type Observable, of, take, timer } from 'rxjs';
import { replaced } from '../../executor/inRealFolder';
import { SEQUENCE } from '../../io/log/decodedViews';
import type { TerminalAnswers } from '../../protocol/codex/events';
import type { TerminalWords } from '../../protocol/codex/operations';
import type { Config } from '../../settings/config';
import { inputFirst } from '../../streams/time/limits';
import {
  addToOutcome,
  type CommandEvent,
  type CommandRun,
  MAX_CAPTURED_BYTES,
  noOutcome,
  toEnd,
} from './commandOutcome';
import { type ClientTerminal, type ToolEvent, toEvent } from './tool';

export type TerminalDeps = {
  /** In ms, for durations. */
  now: () => number;
  /** Emits once: the path of a folder with links resolved. */
  realFolder: (path: string) => Observable<string>;
  /** The numbers of signals by their names. */
  signals: Readonly<Record<string, number>>;
  /** The names of the variables of this program that commands do not see. */
  withheld: (policy: Config['shellEnvironment']) => readonly string[];
};

type RunDeps = Omit<TerminalDeps, 'withheld'>;

/** A command, and the terminals of the client. */
type TerminalRun = { run: CommandRun; terminal: ClientTerminal };

/**
 * Runs a command in a new terminal to its end or its time limit, which ends it. A terminal that the client does not open, or opens too late, is a command
 * that failed: it may have begun, so it is not run elsewhere. Who serves the client ends the command of a run that is unsubscribed, and releases the terminal.
 * Emits `exec_command_begin`, `exec_command_end`, then the output; the client shows by itself what the command writes. Never errors.
 *   ask  -c---x-o      (answers: c create, x wait, o output)
 *   out  b------(EO|)  (b begin, E end, O output for the model)
 * Source: Agent Client Protocol 1, terminals.
 */
export const runInTerminal =
  (deps: RunDeps) =>
  ({ run, terminal }: TerminalRun): Observable<ToolEvent> =>
    defer(() => {
      const startedMs = deps.now();
      const { argv: command, cwd, callId: call_id, parsed: parsed_cmd } = run;
      return concat(
        of(toEvent({ type: 'exec_command_begin', call_id, command, cwd, parsed_cmd })),
        eventsOf(deps, { run, terminal }).pipe(
          map((events) => events.reduce(addToOutcome, noOutcome())),
          concatMap((outcome) => toEnd(run, outcome, Math.max(0, deps.now() - startedMs))),
        ),
      );
    });

/** The client opens the terminal in the folder without links that was approved, if it is still there. */
const eventsOf = (deps: RunDeps, { run, terminal }: TerminalRun): Observable<CommandEvent[]> => {
  const { argv, callId: tool, env, cwd, realCwd = cwd, timeoutMs } = run;
  const opened$ = defer(() =>
    terminal({ act: 'create', tool, argv, env, cwd: realCwd, maxBytes: MAX_CAPTURED_BYTES }),
  ).pipe(
    concatMap((opened) =>
      'fault' in opened
        ? of([failed(`the client opened no terminal: ${opened.fault}. ${NOT_AGAIN}`)])
        : untilEnd(deps, { terminal, id: opened.terminal, timeoutMs }),
    ),
  );
  if (run.realCwd === undefined) return opened$;
  return deps
    .realFolder(realCwd)
    .pipe(concatMap((real) => (real === realCwd ? opened$ : of([failed(replaced(realCwd))]))));
};

const NOT_AGAIN = 'The command was not run outside of it; the client may have begun it';

const failed = (reason: string): CommandEvent => ({ kind: 'failed', seq: 0, reason });

type Opened = { terminal: ClientTerminal; id: string; timeoutMs: number };

/** The output, if any, and how the command has ended. A command that may still run is ended first. */
const untilEnd = ({ signals }: RunDeps, { terminal, id, timeoutMs }: Opened): Observable<CommandEvent[]> =>
  merge(
    terminal({ act: 'wait', terminal: id }).pipe(map((exit) => toExit(signals, exit))),
    timer(timeoutMs, inputFirst).pipe(map((): CommandEvent => ({ kind: 'timedOut' }))),
  ).pipe(
    take(1),
    concatMap((end) =>
      end.kind === 'exited' ? of(end) : terminal({ act: 'kill', terminal: id }).pipe(map(() => end)),
    ),
    concatMap((end) => terminal({ act: 'output', terminal: id }).pipe(map((shown) => [toOutput(shown), end]))),
  );

type Answered<A extends keyof TerminalAnswers> = TerminalAnswers[A] | { fault: string };

/** 128 + n after signal n. */
const toExit = (signals: TerminalDeps['signals'], exit: Answered<'wait'>): CommandEvent => {
  if ('fault' in exit)
    return failed(`the client did not say how the command ended, and was asked to end it: ${exit.fault}`);
  const { exitCode, signal } = exit;
  if (exitCode === null && signal === null) return failed('the client gave neither an exit code nor a signal');
  return { kind: 'exited', seq: 0, exitCode: exitCode ?? 128 + (signals[`${signal}`] ?? 0) };
};

const toOutput = (shown: Answered<'output'>): CommandEvent => ({
  kind: 'output',
  seq: 0,
  stream: 'pty',
  chunk: 'fault' in shown ? Buffer.from(mark(`the client did not show the output: ${shown.fault}`)) : toBytes(shown),
});

const mark = (text: string): string => `[... ${text} ...]\n`;

/** The end of the text, as a program that writes to a pipe would have written it. The client may have kept more than it was asked to. */
const toBytes = ({ text, isCut }: TerminalAnswers['output']): Uint8Array => {
  const plain = text.slice(-MAX_CAPTURED_BYTES).replaceAll(SEQUENCE, '').replaceAll(/\r+\n/g, '\n');
  const bytes = Buffer.from(plain);
  const isLong = text.length > MAX_CAPTURED_BYTES || bytes.length > MAX_CAPTURED_BYTES;
  const begin = isCut || isLong ? mark('the beginning of the output is left out') : '';
  return Buffer.concat([Buffer.from(begin), bytes.subarray(-MAX_CAPTURED_BYTES)]);
};

/** Words that every shell takes as they are: nothing in them is quoted, expanded or split. */
const PLAIN = /^[\w./+-]+$/;
const PLAIN_ARGUMENT = /^[\w./:+-][\w./:+=@-]*$/;

/** Whether any client runs exactly this command: some give a program whose name needs quotes to a shell. */
export const isTakenAsItIs = (words: TerminalWords, [command = '', ...args]: readonly string[]): boolean =>
  PLAIN.test(command) && (words === 'any' || args.every((arg) => PLAIN_ARGUMENT.test(arg)));

/** Nobody sits at the terminal to turn pages. */
const PAGERS = { PAGER: 'cat', GIT_PAGER: 'cat' };

/**
 * What is set in a terminal besides the variables that its client has, which are mostly those of this program: what the policy sets, and to nothing what it
 * excludes. Undefined if that cannot be done: for a policy with a list of all that commands may see, and for PATH, which would be the folder of the command.
 */
export const terminalEnvironment = (
  { withheld }: Pick<TerminalDeps, 'withheld'>,
  policy: Config['shellEnvironment'],
): Record<string, string> | undefined => {
  if (policy.inherit !== 'all' || policy.includeOnly.length > 0) return undefined;
  const env: Record<string, string> = {
    ...Object.fromEntries(withheld(policy).map((name) => [name, ''])),
    ...PAGERS,
    ...policy.set,
  };
  return env.PATH === '' ? undefined : env;
};
