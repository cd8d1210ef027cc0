/** The wire of a short session, as constructors of lines. */
import { type ToolResult, toInitialize, toListTools, toToolCall } from '../../../src/cli/client/messages';
import { demoCalls } from '../../../src/cli/demo/scene';
import { encodeMessage } from '../../../src/protocol/jsonrpc/encodeMessage';

const line = (message: object): string => JSON.stringify({ jsonrpc: '2.0', ...message });
const answer = (id: number, result: object): string => line({ id, result });
const called = (id: number, content: string): string =>
  answer(id, { content: [{ type: 'text', text: content }], structuredContent: { threadId: 'T1', content } });

export const CWD = '/work';

const [toCodex, toReply] = demoCalls(CWD) as [() => never, (before: ToolResult) => never];

/** What the client sends. */
export const sent = {
  i: encodeMessage(toInitialize({ name: 'codex-rx-demo', version: '1.0' }, { elicitation: {} })(0)),
  n: line({ method: 'notifications/initialized', params: {} }),
  l: encodeMessage(toListTools(1)),
  c: encodeMessage(toToolCall(toCodex())(2)),
  r: encodeMessage(toToolCall(toReply({ threadId: 'T1', content: '', text: '' }))(3)),
  y: answer(0, { action: 'accept', content: { decision: 'approved' } }),
  x: answer(0, { action: 'decline' }),
  u: line({ id: 9, error: { code: -32601, message: 'Method not found: roots/list' } }),
};

/** What the server sends. */
export const received = {
  I: answer(0, { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'server', version: '1' } }),
  L: answer(1, { tools: [{ name: 'codex' }, { name: 'codex-reply' }] }),
  Q: line({ id: 0, method: 'elicitation/create', params: { message: 'Allow Codex to run `it`?' } }),
  C: called(2, 'done'),
  R: called(3, 'more'),
  F: answer(2, { content: [{ type: 'text', text: 'no model' }], isError: true }),
  E: line({ id: 0, error: { code: -32600, message: 'no' } }),
  P: line({ method: 'notifications/progress', params: { progressToken: 'codex-2', progress: 1, message: 'thinking' } }),
  S: line({ method: 'codex/event', params: { id: '2', msg: { type: 'task_started' } } }),
  D: line({ method: 'codex/event', params: { id: '2', msg: { type: 'agent_message_delta', delta: 'do' } } }),
  W: line({ id: 9, method: 'roots/list', params: {} }),
};
