/** The arguments of the tool `shell`. */
import * as z from 'zod/mini';
import { parseJson } from '../../protocol/jsonrpc/json';
import type { FunctionSpec } from '../../protocol/model/request';
import { lazy } from '../../streams/lazy';
import { readArguments, toParameters } from './readArguments';

/** Characters. No system runs a longer argument, and assessing one would hold up other calls. */
const MAX_CHARS = 2 ** 20;

const isRunnable = (command: readonly string[]): boolean =>
  command.reduce((chars, { length }) => chars + length, 0) < MAX_CHARS;

const ShellArguments = z.looseObject({
  command: z
    .array(z.string())
    .check(z.minLength(1))
    .check(z.refine(isRunnable, { error: 'must be shorter than 1 MiB; write a long script into a file' }))
    .check(z.describe('The program and its arguments; no shell is involved.')),
  workdir: z.optional(
    z
      .string()
      .check(z.describe('Folder to run in; relative to the folder of the session.'))
      .check(z.refine((path) => !path.includes('\0'), { error: 'must be without null bytes' })), // no system has such a path
  ),
  timeout_ms: z.optional(
    z.int().check(z.nonnegative()).check(z.describe('Time limit in milliseconds. Default: 10000.')),
  ),
  with_escalated_permissions: z.optional(
    z.boolean().check(z.describe('Ask the user for permission to run without restrictions.')),
  ),
  justification: z.optional(
    z.string().check(z.describe('One sentence for the user: why this must run without restrictions.')),
  ),
});

/** The arguments with which a model calls the shell. */
export type ShellArguments = z.output<typeof ShellArguments>;

/** The tool as it is offered to a model; made once, because a JSON Schema takes time to make. */
export const shellSpec = lazy(
  (): FunctionSpec => ({
    type: 'function',
    name: 'shell',
    description: 'Runs a command and returns its output. Use ["bash", "-lc", "SCRIPT"] where a shell is needed.',
    strict: false,
    parameters: toParameters(ShellArguments),
  }),
);

/** The arguments, or what is wrong with them. `timeout` is an older name of `timeout_ms`; a command may be a text. */
export const readShellArguments = (text: string): ShellArguments | string =>
  readArguments(ShellArguments, text, ({ timeout, command, ...rest }) => ({
    ...(timeout !== undefined && { timeout_ms: timeout }),
    ...rest,
    ...(command !== undefined && { command: toCommand(command) }),
  }));

/** A text that is a JSON list is that list; any other text is a script. Source: models that were not trained for this tool. */
const toCommand = (command: unknown): unknown => {
  if (typeof command !== 'string' || command.trim() === '') return command;
  const list = parseJson(command);
  return Array.isArray(list) && list.length > 0 ? list : ['bash', '-lc', command];
};
