/** What a call came to, as the result of the request that waits for it. */
import type { Outgoing } from '../../protocol/jsonrpc';
import type { CallToolResult } from '../../protocol/mcp';
import type { Outcome } from '../calls';
import type { McpCall } from './caller';
import type { Face } from './faces/faceOf';
import { serverMeta } from './methods/method';

type Report = { threadId?: string; text: string; failed: boolean };

const toReport = (outcome: Outcome): Report => {
  switch (outcome.kind) {
    case 'completed': {
      const { threadId, text, notDone } = outcome;
      const notes = notDone.map((note) => `Not done: ${note}`);
      return { threadId, text: [...(text === '' ? [] : [text]), ...notes].join('\n\n'), failed: false };
    }
    case 'failed':
      return { threadId: outcome.threadId, text: outcome.message, failed: true };
    case 'aborted':
      return {
        threadId: outcome.threadId,
        text: ['The turn was stopped.', ...outcome.notDone].join('\n'),
        failed: true,
      };
    case 'stopped':
      return { text: outcome.cause, failed: true };
    case 'rejected':
      return { text: outcome.message, failed: true };
  }
};

/** The response; the thread id is in the text of a failure too, as some hosts show nothing else. */
export const toCallResult = (face: Face, { caller }: McpCall, outcome: Outcome): Outgoing => {
  const { threadId, text, failed } = toReport(outcome);
  const { id, batch, era } = caller;
  const isNamed = threadId !== undefined && face.structured;
  const result: CallToolResult = {
    content: [{ type: 'text', text: failed && isNamed ? `${text}\n\nthreadId: ${threadId}` : text }],
    ...(isNamed && { structuredContent: { threadId, content: text } }),
    ...(failed && { isError: true }),
  };
  const whole = era.modern ? { resultType: 'complete', ...result, _meta: serverMeta(face) } : result;
  return { kind: 'response', id, batch, result: whole };
};
