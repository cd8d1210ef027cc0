/** Why a child process that speaks a protocol has ended: its exit code, and its last error output. */
import { stripVTControlCharacters } from 'node:util';
import {
  concat,
  concatMap,
  connect,
  delay,
  EMPTY,
  endWith,
  filter,
  ignoreElements,
  map,
  merge,
  type Observable,
  type OperatorFunction,
  of,
  scan,
  type Timestamp,
  take,
  takeUntil,
  throwError,
  timestamp,
} from 'rxjs';
import { secretArguments } from '../io/log/maskAddress';
import { redactText } from '../io/log/redactText';
import { secretsGiven } from '../io/log/secretValues';
import type { OutputStream } from '../protocol/exec/process';

/** A line of error output, and when its last part arrived, in ms since 1970. */
type Line = { text: string; atMs: number };

/** The lines that may belong to the end, oldest first; the last one may be incomplete. */
type CrashOutput = { lines: readonly Line[]; hasStarted: boolean };

/** The state of a process that has written nothing. */
export const NO_OUTPUT: CrashOutput = { lines: [{ text: '', atMs: 0 }], hasStarted: false };

/** A crash is reported as it happens: a warning of an hour ago is not its cause. */
const CRASH_MS = 5_000;
/** How many characters are retained: more than are quoted, so that no secret is cut at the beginning of the quote. */
const MAX_CHARS = 2_600;

/** A line of a stack trace: its lines follow the reason, and would push it out of the quote. */
const FRAME = /^\s+at\s\S/;

/** Adds error output that arrived; a line of a stack trace is dropped when it is whole. */
export const addErrorOutput = ({ lines, ...rest }: CrashOutput, text: string, atMs: number): CrashOutput => {
  const open = lines.at(-1)?.text ?? '';
  const added = `${open}${text}`.split('\n').map((line) => ({ text: line.slice(-MAX_CHARS), atMs }));
  const whole = added.filter(({ text: line }, at) => at === added.length - 1 || !FRAME.test(line));
  return { ...rest, lines: withinLimit([...lines.slice(0, -1), ...whole]) };
};

/** The process sent its first message: it has started, so the lines before did not end it. */
export const afterFirstMessage = ({ lines }: CrashOutput): CrashOutput => ({
  lines: lines.slice(-1),
  hasStarted: true,
});

/** The error output to quote for a process that ended at `endMs`; all of it if the process never sent a message. */
export const toCrashOutput = ({ lines, hasStarted }: CrashOutput, endMs: number): string =>
  lines
    .filter(({ atMs }) => !hasStarted || endMs - atMs <= CRASH_MS)
    .map(({ text }) => text)
    .join('\n');

/** Keeps the last lines, including the line that reaches the limit. */
const withinLimit = (lines: readonly Line[]): readonly Line[] => {
  const { kept } = lines.reduceRight(
    ({ chars, kept }, line) => ({
      chars: chars + line.text.length + 1,
      kept: chars < MAX_CHARS ? kept + 1 : kept,
    }),
    { chars: 0, kept: 0 },
  );
  return lines.slice(-kept);
};

/** The events of a process that say how it ended. */
type LifeEvent =
  | { kind: 'started' | 'gap' | 'closed' }
  | { kind: 'output'; stream: OutputStream; chunk: Uint8Array }
  | { kind: 'exited'; exitCode: number }
  | { kind: 'failed'; reason: string };

type Life = { code: number | null; failure: string; output: CrashOutput; endMs?: number };

const NO_LIFE: Life = { code: null, failure: '', output: NO_OUTPUT };
/** How many characters of error output an error quotes. */
const STDERR_CHARS = 600;

type EndDeps = {
  /** The name of the process. */
  title: string;
  /** Texts that are never shown. */
  secrets: readonly string[];
};

/**
 * Errors when the process has ended and all of its output was read.
 *   events  --o--x--|     (o its error output, x its exit code)
 *   out     --------#
 */
export const endOf =
  (deps: EndDeps): OperatorFunction<LifeEvent, never> =>
  (event$) =>
    event$.pipe(
      connect((shared$) => concat(withFirstMessage(shared$), of('over' as const))),
      timestamp(),
      scan(reduceLife, NO_LIFE),
      concatMap((life) => (life.endMs === undefined ? EMPTY : throwError(() => new Error(toReason(deps, life))))),
    );

/**
 * Adds `firstMessage` one turn after the first output was read: if both outputs are ready, error output that was written before it may
 * be read second.
 *   event$  --(oe)---|
 *   out     --(oe)m--|    m a turn later
 */
const withFirstMessage = (event$: Observable<LifeEvent>): Observable<LifeEvent | 'firstMessage'> =>
  merge(
    event$,
    event$.pipe(
      filter((event) => event.kind === 'output' && event.stream !== 'stderr'),
      take(1),
      map(() => 'firstMessage' as const),
      delay(0),
      takeUntil(event$.pipe(ignoreElements(), endWith('over'))),
    ),
  );

/** The secrets among the variables and the arguments of a program. */
export const secretsOf = (env: Record<string, string>, command: readonly string[] = []): string[] => [
  ...secretsGiven(env),
  ...secretArguments(command),
];

const reduceLife = (
  life: Life,
  { value: event, timestamp: atMs }: Timestamp<LifeEvent | 'firstMessage' | 'over'>,
): Life => {
  if (event === 'over') return { ...life, endMs: atMs };
  if (event === 'firstMessage') return { ...life, output: afterFirstMessage(life.output) };
  if (event.kind === 'exited') return { ...life, code: event.exitCode };
  if (event.kind === 'failed') return { ...life, failure: event.reason };
  if (event.kind !== 'output' || event.stream !== 'stderr') return life;
  return { ...life, output: addErrorOutput(life.output, Buffer.from(event.chunk).toString(), atMs) };
};

const toReason = ({ title, secrets }: EndDeps, { code, failure, output, endMs = 0 }: Life): string => {
  const how = failure === '' ? `ended with exit code ${code}` : `could not be run: ${failure}`;
  const hide = redactText({ secrets, maxChars: Number.POSITIVE_INFINITY });
  const text = hide(stripVTControlCharacters(toCrashOutput(output, endMs)))
    .slice(-STDERR_CHARS)
    .trim();
  return `${title} ${how}${/[.?!]$/.test(how) ? '' : '.'}${text && `\n${text}`}`;
};
