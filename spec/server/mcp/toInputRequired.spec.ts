import { faceOf } from '../../../src/server/faces/faceOf';
import type { RequestState } from '../../../src/server/mcp/methods/requestState';
import { toInputRequired, toQuestion } from '../../../src/server/mcp/toMessages';
import { turnEventOf } from '../../support/mcp';
import { callOf, events, modern, op } from '../../support/mcpCalls';

const face = faceOf('union', '0.1.0');
const seal = jest.fn((state: RequestState) => JSON.stringify(state));
const deps = {
  face,
  sealer: { seal, open: () => ({ callId: '', digest: '', keys: [], misread: [], expires: 0 }) },
  expiresAt: () => 100,
};
const form = turnEventOf(
  op,
  {
    type: 'elicitation_request',
    server_name: 'mail',
    message: 'Who?',
    requested_schema: { type: 'object', properties: { name: { type: 'string' } } },
  },
  8,
);

describe('toInputRequired', () => {
  it('answers with every open question, under a name that determines how its answer is read', () => {
    const call = callOf({ ...modern, id: 'two', batch: { size: 1 }, misread: ['approval-7'] });
    const questions = new Map([
      [7, events.question],
      [8, form as typeof events.question],
    ]);
    expect(toInputRequired(deps, { kind: 'suspended', call, questions })).toEqual({
      kind: 'response',
      id: 'two',
      batch: { size: 1 },
      result: {
        resultType: 'input_required',
        inputRequests: {
          'approval-7': {
            method: 'elicitation/create',
            params: toQuestion(face, call.caller.era, events.question),
          },
          'form-8': {
            method: 'elicitation/create',
            params: toQuestion(face, call.caller.era, form as typeof events.question),
          },
        },
        requestState: JSON.stringify({
          callId: 'c',
          digest: 'd',
          keys: ['approval-7', 'form-8'],
          misread: ['approval-7'],
          expires: 100,
        }),
        _meta: { 'io.modelcontextprotocol/serverInfo': face.serverInfo },
      },
    });
  });
});

describe('toQuestion', () => {
  it('shows a question as the face does', () => {
    const params = toQuestion(faceOf('0.28', '0.1.0'), { capabilities: {} }, events.question);
    expect(params).toEqual({
      message: "Allow Codex to run `touch 'a b'` in `/work`?",
      requestedSchema: { type: 'object', properties: {} },
      codex_elicitation: 'exec-approval',
      codex_mcp_tool_call_id: '1',
      codex_event_id: '1',
      codex_call_id: 'c1',
      codex_command: ['touch', 'a b'],
      codex_cwd: '/work',
    });
  });
});
