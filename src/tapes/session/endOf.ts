/** Describes how a server ended. */
import { toExit } from './toSessionIndex';

/** `isFailure` for an exit code that is not 0, and for a signal that a crash raises; a signal that stops a process, such as SIGTERM, is no failure. */
export type ServerEnd = { text: string; isFailure: boolean };

/** Signals that a program raises by a fault of its own. Source: signal(7), those whose default is to dump core, except SIGQUIT. */
const CRASHES = new Set([
  'SIGABRT',
  'SIGBUS',
  'SIGFPE',
  'SIGILL',
  'SIGSEGV',
  'SIGSYS',
  'SIGTRAP',
  'SIGXCPU',
  'SIGXFSZ',
]);

/** The end that a line `exit` of a tape records. */
export const endOf = (line: string): ServerEnd => toServerEnd(toExit(line));

/** The end of an exit code and a signal. */
export const toServerEnd = ({ code, signal }: ReturnType<typeof toExit>): ServerEnd => {
  if (signal !== null) return { text: `by ${signal}`, isFailure: CRASHES.has(signal) };
  if (code === null) return { text: 'in an unknown way', isFailure: false };
  return { text: `with exit code ${code}`, isFailure: code !== 0 };
};
