/** One run of a command and its outcome: the end event, and what the model reads of it. */
import type { ImposedLimit, Started } from '../../executor/backend';
import { isLikelyDenied } from '../../executor/sandbox/isLikelyDenied';
import type { Duration, EventMsg, ParsedCommand } from '../../protocol/codex/eventMsg';
import type { ProcessEvent } from '../../protocol/exec/process';
import { shorten } from '../../protocol/model/shorten';
import { shellScriptOf } from '../safety/script';
import { type ToolEvent, toEvent } from './tool';

/** One run of a command. */
export type CommandRun = {
  callId: string;
  argv: readonly string[];
  /** Absolute. */
  cwd: string;
  /** What `cwd` led to when the command was assessed. */
  realCwd?: string;
  /** Complete. */
  env: Record<string, string>;
  /** From the start. */
  timeoutMs: number;
  parsed: ParsedCommand[];
  /** A limit that restricts the command even if a person approved more. */
  keptBy?: ImposedLimit;
  /** The client runs it in a terminal, and decides what becomes of the processes that it leaves. */
  inTerminal?: true;
};

/** What happens to a command. */
export type CommandEvent =
  | Started
  | ProcessEvent
  /** Its time is over. */
  | { kind: 'timedOut' }
  /** It has exited, and its output stayed open too long. */
  | { kind: 'lingered' };

/** Longest text of one stream in the end event. */
export const MAX_CAPTURED_BYTES = 1_048_576;

type CommandOutcome = {
  stdout: Captured;
  stderr: Captured;
  all: Captured;
  exitCode?: number;
  /** Set if the command did not end by itself. */
  failure?: 'timedOut' | { reason: string };
  /** A limit that the executor imposed. */
  keptBy?: ImposedLimit;
};

/** The outcome before the first event. */
export const noOutcome = (): CommandOutcome => ({
  stdout: nothingCaptured(),
  stderr: nothingCaptured(),
  all: nothingCaptured(),
});

/** Adds an event to the outcome. Captured output is added in place, because megabytes of it pass, chunk by chunk. */
export const addToOutcome = (outcome: CommandOutcome, event: CommandEvent): CommandOutcome => {
  switch (event.kind) {
    case 'output':
      capture(outcome[event.stream === 'stderr' ? 'stderr' : 'stdout'], event.chunk, MAX_CAPTURED_BYTES);
      capture(outcome.all, event.chunk, MAX_CAPTURED_BYTES);
      return outcome;
    case 'started':
      return event.keptBy === undefined ? outcome : { ...outcome, keptBy: event.keptBy };
    case 'exited':
      return { ...outcome, exitCode: event.exitCode };
    case 'timedOut':
      return { ...outcome, failure: 'timedOut' };
    case 'failed':
      return { ...outcome, failure: { reason: event.reason } };
    default:
      return outcome;
  }
};

/** A duration in the form of tool events. */
export const toDuration = (ms: number): Duration => ({
  secs: Math.floor(ms / 1000),
  nanos: Math.round((ms % 1000) * 1e6),
});

/** The last events of a command: `exec_command_end`, then what the model reads. */
export const toEnd = (run: CommandRun, outcome: CommandOutcome, tookMs: number): ToolEvent[] => {
  const output = toText(outcome.all);
  const trouble = troubleOf(run, outcome);
  const exitCode = trouble === undefined ? (outcome.exitCode ?? -1) : -1;
  const [stdout, stderr] = [toText(outcome.stdout), toText(outcome.stderr)];
  const left = run.inTerminal ? undefined : backgroundNote(run.argv);
  const note = limitNote({ keptBy: outcome.keptBy ?? run.keptBy, exitCode, stdout, stderr });
  const formatted = [note, left, patchNote(output), gitNote(output, exitCode)].reduce(withNote, shorten(output));
  const text = trouble === undefined ? toModelOutput(formatted, exitCode, tookMs) : joined(trouble, formatted);
  const end: EventMsg = {
    type: 'exec_command_end',
    call_id: run.callId,
    stdout,
    stderr: trouble === undefined ? withNote(stderr, note) : joined(stderr, trouble),
    aggregated_output: output,
    exit_code: exitCode,
    duration: toDuration(tookMs),
    formatted_output: trouble === undefined ? formatted : text,
  };
  return [toEvent(end), { kind: 'output', text }];
};

const joined = (...texts: string[]): string => texts.filter(Boolean).join('\n');

const troubleOf = ({ timeoutMs }: CommandRun, { failure }: CommandOutcome): string | undefined => {
  if (failure === undefined) return undefined;
  return failure === 'timedOut'
    ? `command timed out after ${timeoutMs} milliseconds`
    : `execution error: ${failure.reason}`;
};

/** What the model reads of a command. Source: Codex 0.28.0: `duration_seconds` always shows its fraction. */
export const toModelOutput = (output: string, exitCode: number, tookMs: number): string => {
  const seconds = (Math.round(tookMs / 100) / 10).toFixed(1);
  return `{"output":${JSON.stringify(output)},"metadata":{"exit_code":${exitCode},"duration_seconds":${seconds}}}`;
};

type EndedCommand = { keptBy: ImposedLimit | undefined; exitCode: number; stdout: string; stderr: string };

/** The note; undefined if no limit restricted the command, or if it does not seem to have been denied anything. */
export const limitNote = ({ keptBy, ...ended }: EndedCommand): string | undefined =>
  keptBy !== undefined && isLikelyDenied({ ...ended, network: keptBy.network })
    ? `This may be a limit that no approval lifts: ${keptBy.text}.`
    : undefined;

const QUOTED = /<<-?\s*(['"]?)(\w+)\1[\s\S]*?\n\s*\2(?=\n|$)|'[^']*'|"(?:[^"\\]|\\.)*"|\\./g;
/** `&` after a command; not `&&`, `|&`, `&>`, `>&` or `<&`. */
const IN_BACKGROUND = /(?<![&|<>])&(?![&>])/;

/** What the model is to know of a script that leaves something in the background, which it would believe to run still; else undefined. */
export const backgroundNote = (argv: readonly string[]): string | undefined => {
  const text = (shellScriptOf(argv)?.text ?? '').replaceAll(QUOTED, '');
  return IN_BACKGROUND.test(text) && !/\bwait\b/.test(text)
    ? 'What this command left running in the background was ended with it: no process outlives its command. Start such a program and use it within one command.'
    : undefined;
};

/** What a model is to know that wrote a patch into a script in which it is not recognized. */
const patchNote = (output: string): string | undefined =>
  /\bapply_?patch: (?:command )?not found/.test(output)
    ? 'No program is named apply_patch: no patch was applied. Call the tool apply_patch, or begin the script with it.'
    : undefined;

/** What a model is to know of a command such as `git init`, which the sandbox kept from making a repository. */
const gitNote = (output: string, exitCode: number): string | undefined =>
  exitCode !== 0 && /(?<![\w.-])\.(?:git|codex)\b.{0,200}: Read-only file system/.test(output)
    ? 'In the sandbox the .git and .codex of a writable folder are read-only; ask for the command to be run outside of it.'
    : undefined;

/** The text followed by the note, on a line of its own. */
export const withNote = (text: string, note: string | undefined): string => {
  if (note === undefined) return text;
  return text === '' || text.endsWith('\n') ? `${text}${note}` : `${text}\n${note}`;
};

/** Bytes kept from the start and from the end. */
export type Captured = {
  head: Uint8Array[];
  tail: Uint8Array[];
  headBytes: number;
  tailBytes: number;
  /** The number of bytes between them. */
  lost: number;
};

/** Small chunks are joined up to this size, so that a program that writes byte by byte does not cost one piece per byte. */
const JOINED_BYTES = 2_048;

const append = (pieces: Uint8Array[], chunk: Uint8Array): void => {
  const last = pieces.at(-1);
  if (last === undefined || last.length + chunk.length > JOINED_BYTES) pieces.push(chunk);
  else pieces[pieces.length - 1] = Buffer.concat([last, chunk]);
};

/** The output of a command that has written nothing. */
export const nothingCaptured = (): Captured => ({ head: [], tail: [], headBytes: 0, tailBytes: 0, lost: 0 });

/** Adds a chunk, in place. The first half of `maxBytes` stays, and of the rest the newest half, in whole pieces. */
export const capture = (kept: Captured, chunk: Uint8Array, maxBytes: number): Captured => {
  const half = maxBytes / 2;
  if (kept.headBytes < half) {
    append(kept.head, chunk);
    kept.headBytes += chunk.length;
    return kept;
  }
  append(kept.tail, chunk);
  kept.tailBytes += chunk.length;
  for (let first = kept.tail[0]; first && kept.tailBytes - first.length >= half; first = kept.tail[0]) {
    kept.tail.shift();
    kept.tailBytes -= first.length;
    kept.lost += first.length;
  }
  return kept;
};

/** The output as text; a mark stands where bytes were lost, invalid UTF-8 becomes U+FFFD. */
export const toText = ({ head, tail, lost }: Captured): string => {
  if (lost === 0) return Buffer.concat([...head, ...tail]).toString('utf8');
  const mark = `\n[... ${lost} bytes of output left out ...]\n`;
  return Buffer.concat(head).toString('utf8') + mark + Buffer.concat(tail).toString('utf8');
};
