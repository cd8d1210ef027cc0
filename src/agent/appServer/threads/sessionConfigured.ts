/** The first event of a thread that an app-server has started. */

import type { EventMsg } from '../../../protocol/codex/eventMsg';
import { type ApprovalPolicy, SANDBOX_MODES, type SandboxMode } from '../../../protocol/codex/settings';
import type { JsonObject } from '../../../protocol/jsonrpc/json';
import type { PromptHistory } from '../../turns/promptHistory';
import { read, ThreadResult } from '../shapes';

const isMode = (text: string): text is SandboxMode => SANDBOX_MODES.includes(text as SandboxMode);

/** `workspaceWrite` in the form of config.toml. */
const toSandboxMode = (type: string): SandboxMode => {
  const mode = type.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return isMode(mode) ? mode : 'read-only';
};

/** The event of a new thread. @param result of `thread/start` */
export const sessionConfigured = (threadId: string, result: JsonObject, history: PromptHistory): EventMsg => {
  const { model, modelProvider, approvalPolicy, sandbox, cwd } = read(ThreadResult, result);
  return {
    type: 'session_configured',
    session_id: threadId,
    model,
    model_provider_id: modelProvider,
    approval_policy: (approvalPolicy || 'on-request') as ApprovalPolicy,
    sandbox_mode: toSandboxMode(sandbox.type),
    cwd,
    mcp_servers: 'reported',
    ...history,
  };
};
