/** Whether a person is asked before a tool of an MCP server is called, and what. */

import type { ApprovalPolicy } from '../../protocol/codex/settings';
import type { JsonObject } from '../../protocol/jsonrpc/json';
import { toVisible } from '../../streams/text/visible';
import type { ApprovalRequest, Assessment } from '../tools/tool';
import type { OfferedTool } from './toolServer';

/** The settings of a thread that matter to approvals of tools. */
export type ApprovalSettings = {
  approvalPolicy: ApprovalPolicy;
  /** Its commands run without a sandbox. */
  isFullAccess?: boolean;
};

/** Without a mode of the user the policy decides. Source of the modes: Codex 0.171.0, in runs with each policy; there no mode is the mode `auto`. */
export const needsApproval = (
  { approvalPolicy, isFullAccess }: ApprovalSettings,
  { mode, isReadOnly, isHarmless }: OfferedTool,
): boolean => {
  switch (mode) {
    case undefined:
      return approvalPolicy === 'untrusted' && !isReadOnly;
    case 'approve':
      return false;
    default:
      if (approvalPolicy === 'never' && isFullAccess) return false;
      return mode === 'prompt' || !(isReadOnly || (mode === 'auto' && isHarmless === true));
  }
};

/** The refusal of a tool that would be asked about, if nobody may be asked. */
export const refused = (subject: string, { mode }: OfferedTool): Assessment<never> => {
  const reason = `approval_mode = "${mode}" asks before this tool, and nobody is asked under the approval policy never`;
  return { verdict: 'refuse', output: `tool call rejected: ${reason}`, report: { subject, reason } };
};

/** The key of an approval. The offered name may be that of another tool in another list. */
const approvalKey = ({ server, tool }: OfferedTool): string => `tool ${JSON.stringify([server, tool])}`;

/** The question before a tool is called. */
export const toApproval = (offered: OfferedTool, args: JsonObject | undefined): ApprovalRequest => {
  const { server, tool, mode } = offered;
  const call = `${toVisible(tool)}(${args === undefined ? '' : JSON.stringify(args)})`;
  return {
    msg: { type: 'elicitation_request', server_name: server, message: `May the tool ${call} be called?` },
    subject: `${server}/${call}`,
    what: 'tool call',
    covers: mode === 'prompt' ? 'once' : 'tool',
    keys: mode === 'prompt' ? [] : [approvalKey(offered)], // it asks each time
  };
};
