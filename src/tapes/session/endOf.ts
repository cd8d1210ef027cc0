/** Describes how a server ended. */
import { parseObject } from '../../protocol/jsonrpc/json';
import type { Exit } from './sessionIndex';

/** How a server ended, for a person. */
export type ServerEnd = {
  text: string;
  /** An exit code that is not 0, or a signal that a crash raises. A signal that stops a process, such as SIGTERM, is no failure. */
  isFailure: boolean;
};

/** Signals that a program raises by a fault of its own. Source: signal(7), signals with the default to dump core, except SIGQUIT. */
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
export const toServerEnd = ({ code, signal }: Pick<Exit, 'code' | 'signal'>): ServerEnd => {
  if (signal !== null) return { text: `by ${signal}`, isFailure: CRASHES.has(signal) };
  if (code === null) return { text: 'in an unknown way', isFailure: false };
  return { text: `with exit code ${code}`, isFailure: code !== 0 };
};

/** The code and the signal of an `exit` line; null for both if the line cannot be read. */
export const toExit = (line: string): Pick<Exit, 'code' | 'signal'> => {
  const { code, sig } = parseObject(line) ?? {};
  return { code: typeof code === 'number' ? code : null, signal: typeof sig === 'string' ? sig : null };
};
