/** What is wrong when a part of the program cannot be loaded while it runs. */

/** Known to `systemRemedy`. */
const CODE = 'ERR_PROGRAM_REPLACED';

/**
 * The error of a part that is missing, or is not of this build; `systemRemedy` has what to do. Its stack is its text alone: whoever reports it, in
 * whatever way, shows the remedy and no code. Other faults, such as too many open files, stay what they are.
 */
export const programFault = (cause?: unknown): unknown => {
  const { code } = (cause ?? {}) as NodeJS.ErrnoException;
  const isChanged = cause === undefined || code === 'ENOENT' || code === 'ENOTDIR';
  return isChanged ? Object.assign(new Error(TEXT, { cause }), { code: CODE, stack: TEXT }) : cause;
};

/** True for such an error. */
export const isProgramFault = (error: unknown): error is Error & { code: typeof CODE } =>
  error instanceof Error && (error as NodeJS.ErrnoException).code === CODE;

const TEXT =
  'codex-rx was updated or removed while it ran, and a part of it was not loaded yet; start it again: restart this server in its client';
