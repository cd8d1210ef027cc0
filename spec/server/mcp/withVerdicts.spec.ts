import type { EventMsg } from '../../../src/protocol/codex/eventMsg';
import type { CodexEvent } from '../../../src/protocol/codex/events';
import { newTurn } from '../../../src/server/calls/turn';
import type { CallCommand } from '../../../src/server/mcp/command';
import { withVerdicts } from '../../../src/server/mcp/connectionReducer';
import { callsOf } from '../../support/calls';
import { request } from '../../support/mcp';
import { callOf, modern } from '../../support/mcpCalls';

const requested_schema = { type: 'object', properties: { decision: { type: 'string', enum: ['merge', 'approved'] } } };
const form: EventMsg = { type: 'elicitation_request', server_name: 'git', message: 'How?', requested_schema };
const about = { kind: 'event', callId: 'c1', threadId: 'T', turnId: 'U', id: '1' } as const;
const questions = new Map<number, CodexEvent>([
  [7, { ...about, msg: request as EventMsg, question: 7 }],
  [8, { ...about, msg: form, question: 8 }],
]);
const call = callOf(modern, 'c1');
const calls = callsOf({ phase: 'running', call, order: 0, turn: { ...newTurn, questions } } as never);
const answered = (question: number, result: object): CallCommand => ({
  kind: 'answered',
  question,
  response: { kind: 'response', id: question, result },
});

describe('withVerdicts', () => {
  it('reads an answer by what was asked', () => {
    const merge = { action: 'accept', content: { decision: 'merge' } };
    expect(withVerdicts(calls, answered(8, merge))).toEqual({
      kind: 'answered',
      question: 8,
      verdict: { decision: 'approved', form: { decision: 'merge' } },
    });
    const reason = expect.stringContaining('chose none of approved');
    expect(withVerdicts(calls, answered(7, merge))).toMatchObject({ verdict: { decision: 'denied', reason } });
  });

  it('takes the answer to a question that nobody asked for that of a model', () => {
    const sampled = { role: 'assistant', content: { type: 'text', text: 'hi' } };
    expect(withVerdicts(calls, answered(9, sampled))).toMatchObject({ verdict: { decision: 'denied', sampled } });
  });

  it('reads the answers of a retry, and notes those that do not fit', () => {
    const yes = { action: 'accept', content: { decision: 'approved' } };
    const retry: CallCommand = {
      kind: 'resume',
      call,
      responses: { 'approval-7': yes, 'form-8': { action: 'accept' } },
      asked: { keys: ['approval-7', 'form-8'], misread: [] },
    };
    expect(withVerdicts(calls, retry)).toEqual({
      kind: 'resume',
      call: { ...call, caller: { ...call.caller, misread: ['form-8'] } },
      verdicts: new Map([[7, { decision: 'approved' }]]),
    });
  });

  it('leaves all else as it is', () => {
    const end: CallCommand = { kind: 'end', cause: 'over' };
    expect(withVerdicts(calls, end)).toBe(end);
  });
});
