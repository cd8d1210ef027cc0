/** What a person is asked about a command. */
import { toVisible } from '../log';
import { joinWords } from '../text';
import type { ShellArguments } from './shellArguments';
import type { ApprovalRequest } from './tool';

/** A command that a person may be asked about; `cwd` is absolute. */
type AskedCommand = { callId: string; args: ShellArguments; cwd: string };

/** An approval for the session is for exactly this command in exactly this folder: `rm -r .` is not the same elsewhere. */
export const approvalKey = ({ args, cwd }: AskedCommand): string => `shell ${JSON.stringify([cwd, ...args.command])}`;

/** The command in words. */
export const subjectOf = ({ args }: AskedCommand): string => `\`${joinWords(args.command)}\``;

/** The agent's own reason is marked as such, and in one line, so that it cannot pass for a line of this program. */
export const toApproval = (call: AskedCommand, because: string | undefined): ApprovalRequest => {
  const { callId, args, cwd } = call;
  const own = args.justification && `The agent says: ${toVisible(args.justification.trim())}`;
  const reason = [own, because].filter(Boolean).join('\n');
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
    keys: [approvalKey(call)],
  };
};
