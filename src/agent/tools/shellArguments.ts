/** The arguments of the tool `shell`, what a person is asked about its command, and what an approval of that covers. */
import * as z from 'zod/mini';
import { parseJson } from '../../protocol/jsonrpc/json';
import { toVisible } from '../../streams/text/visible';
import { joinWords } from '../../streams/text/words';
import type { NamedFile } from '../safety/namedFiles';
import { functionSpec, readArguments } from './readArguments';
import type { ApprovalRequest, ToolCall } from './tool';

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

/** The tool as it is offered to a model. */
export const shellSpec = functionSpec(
  'shell',
  'Runs a command and returns its output. Use ["bash", "-lc", "SCRIPT"] where a shell is needed.',
  ShellArguments,
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

/** A command that a person may be asked about. */
export type AskedCommand = {
  callId: string;
  args: ShellArguments;
  /** Absolute. */
  cwd: string;
  /** The same with links resolved; present if approvals matter, because they apply to it. */
  realCwd?: string;
};

/** The files that a command names; undefined if that was not asked, or is not known. */
export type OfFiles = { files?: readonly NamedFile[] | undefined };

/** A command of a call. */
export type CommandCall = AskedCommand & OfFiles & Pick<ToolCall, 'isApproved' | 'terminal'>;

/** An approval applies to this command in this folder: `rm -r .` is not the same elsewhere, and a link may take the folder's place. */
export const approvalKey = ({ args, cwd, realCwd = cwd }: AskedCommand): string =>
  `shell ${JSON.stringify([realCwd, ...args.command])}`;

/** The second key has the bytes of all files that the command names, the others those of one. None if the files are not known. */
export const keysOf = (call: AskedCommand & OfFiles): string[] => {
  const key = approvalKey(call);
  const marks = call.files?.map(({ mark }) => mark);
  return marks === undefined ? [] : [key, ...[marks, ...marks].map((marked) => `${key} ${JSON.stringify(marked)}`)];
};

/** The command as people read it. */
export const subjectOf = ({ args }: AskedCommand): string => `\`${joinWords(args.command)}\``;

/** The agent's own reason is marked as such, and in one line, so that it cannot be mistaken for a line of this program. */
export const toApproval = (call: CommandCall, because: string | undefined): ApprovalRequest => {
  const { callId, args, cwd } = call;
  const own = args.justification && `The agent says: ${toVisible(args.justification.trim())}`;
  const reason = [own, because, changeOf(call), call.files === undefined ? ONCE : undefined].filter(Boolean).join('\n');
  return {
    msg: {
      type: 'exec_approval_request',
      call_id: callId,
      command: args.command,
      cwd,
      ...(reason && { reason }),
    },
    subject: subjectOf(call),
    what: 'exec command',
    covers: call.files === undefined ? 'once' : 'bytes',
    keys: keysOf(call),
  };
};

const ONCE = 'It cannot be approved for the session: which files it names is not certain';

const MAX_NAMES = 5;

/** Why a command that was approved for the session is asked about; undefined if it was not. A file that is gone is not named. */
const changeOf = (call: CommandCall): string | undefined => {
  const { files, isApproved } = call;
  if (files === undefined || !isApproved(approvalKey(call))) return undefined;
  const [, , ...keys] = keysOf(call);
  const changed = files.filter((_, i) => !isApproved(keys[i] ?? ''));
  const names = [...new Set(changed.map(({ name }) => toVisible(name)))];
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
  return `A file has changed since this was approved for the session${names.length > 0 ? ': ' : ''}${names.slice(0, MAX_NAMES).join(', ')}${more}`;
};

/** The reason of this program: where the folder of the command really is, if a link leads there, and then `reason`. */
export const becauseOf = (
  { cwd, realCwd = cwd }: AskedCommand,
  threadCwd: string,
  reason?: string,
): string | undefined => {
  if (cwd === realCwd || cwd === threadCwd) return reason;
  const leads = toVisible(`${cwd} is reached by a link; the command runs in ${realCwd}`);
  return reason === undefined ? leads : `${leads}\n${reason}`;
};
