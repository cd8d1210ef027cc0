/** The error output that may explain why a process ended: not what it wrote at its start, or long before. */

/** A line of error output and when the last of it arrived, in ms since 1970. */
type Line = { text: string; atMs: number };

/** The lines that may belong to the end, oldest first; the last one may be incomplete. */
export type CrashOutput = { lines: readonly Line[]; hasStarted: boolean };

/** The state of a process that has written nothing. */
export const NO_OUTPUT: CrashOutput = { lines: [{ text: '', atMs: 0 }], hasStarted: false };

/** A crash is reported as it happens: a warning of an hour ago is not its cause. */
const CRASH_MS = 5_000;
/** How much is kept, in chars: more than is quoted, so that no secret is cut where the quote begins. */
const MAX_CHARS = 2_600;

/** Adds error output that arrived. */
export const addErrorOutput = ({ lines, ...rest }: CrashOutput, text: string, atMs: number): CrashOutput => {
  const open = lines.at(-1)?.text ?? '';
  const added = `${open}${text}`.split('\n').map((line) => ({ text: line.slice(-MAX_CHARS), atMs }));
  return { ...rest, lines: withinLimit([...lines.slice(0, -1), ...added]) };
};

/** The process sent its first message: it has started, so the lines before did not end it. */
export const afterFirstMessage = ({ lines }: CrashOutput): CrashOutput => ({
  lines: lines.slice(-1),
  hasStarted: true,
});

/** What is quoted of a process that ended at `endMs`; everything if it never sent a message. */
export const toCrashOutput = ({ lines, hasStarted }: CrashOutput, endMs: number): string =>
  lines
    .filter(({ atMs }) => !hasStarted || endMs - atMs <= CRASH_MS)
    .map(({ text }) => text)
    .join('\n');

/** Keeps the last lines, up to the one that reaches the limit. */
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
