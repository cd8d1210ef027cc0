import fc from 'fast-check';
import type { CodexEvent } from '../../../../src/protocol/codex';
import {
  isForm,
  readDecision,
  readForm,
  readReview,
  toElicitation,
} from '../../../../src/server/mcp/questions/toElicitation';
import { request, started, told } from '../../../support/mcp';

const op = { kind: 'turn', callId: 'c', eventId: '5', thread: { newest: true }, prompt: '', askable: true } as const;

describe('toElicitation', () => {
  it('asks one question with one field that a form can show', () => {
    const params = toElicitation(told(op, { ...request, reason: 'it writes' } as never) as CodexEvent);
    expect(params).toMatchObject({
      message: "Allow Codex to run `touch 'a b'` in `/work`?\nit writes",
      requestedSchema: {
        type: 'object',
        properties: { decision: { type: 'string', enum: ['approved', 'approved_for_session', 'denied', 'abort'] } },
      },
      codex_elicitation: 'exec-approval',
      codex_mcp_tool_call_id: '5',
    });
  });

  it('names the files of a patch, the reason, and what becomes of them', () => {
    const changes = { '/w/a': { add: { content: 'x' } }, '/w/b': { delete: { content: 'y' } } };
    const msg = {
      type: 'apply_patch_approval_request',
      call_id: 'p',
      changes,
      reason: 'outside of the folder',
    } as const;
    expect(toElicitation(told(op, msg) as CodexEvent)).toMatchObject({
      message: 'Allow Codex to apply proposed code changes?\n/w/a\n/w/b\noutside of the folder',
      requestedSchema: { properties: { decision: { description: 'May the agent change these files?' } } },
      codex_elicitation: 'patch-approval',
      codex_changes: changes,
      codex_call_id: 'p',
    });
  });

  it('asks for an MCP server behind the engine, by its own form where it has one', () => {
    const msg = { type: 'elicitation_request', server_name: 'mail', message: 'Who?' } as const;
    const params = toElicitation(told(op, msg) as CodexEvent);
    expect(params).toMatchObject({
      message: 'mail: Who?',
      requestedSchema: { properties: { decision: { description: 'May the agent do this?' } } },
      codex_elicitation: 'mcp-server',
      codex_server_name: 'mail',
    });
    expect(isForm(params)).toBe(false);
    const schema = { type: 'object', properties: { name: { type: 'string' } } };
    const form = toElicitation(told(op, { ...msg, requested_schema: schema }) as CodexEvent);
    expect(form).toMatchObject({ requestedSchema: schema });
    expect(form).not.toHaveProperty('codex_call_id');
    expect(isForm(form)).toBe(true);
  });

  it('asks nothing that is no question', () => {
    expect(() => toElicitation(told(op, started) as CodexEvent)).toThrow('task_started is no question');
  });
});

describe('toFilled', () => {
  it.each([
    [
      { action: 'accept', content: { name: 'Ann' } },
      { decision: 'approved', form: { name: 'Ann' } },
    ],
    [
      { action: 'accept', content: {} },
      { decision: 'approved', form: {} },
    ],
    [{ action: 'accept' }, { decision: 'approved' }],
    [{ action: 'decline' }, { decision: 'denied' }],
    [
      { action: 'cancel', content: { name: 'Ann' } },
      { decision: 'abort', reason: 'the question was dismissed' },
    ],
    [7, undefined],
  ])('takes %j as %j', (result, verdict) => {
    expect(readForm(result)).toEqual(verdict);
  });
});

describe('toVerdict', () => {
  it.each([
    [{ decision: 'approved' }, { decision: 'approved' }],
    [{ action: 'accept' }, { decision: 'approved' }],
    [{ action: 'accept', content: null }, { decision: 'approved' }],
    [{ action: 'accept', content: {} }, { decision: 'approved' }],
    [{ action: 'accept', content: { decision: 'approved_for_session' } }, { decision: 'approved_for_session' }],
    [{ action: 'accept', content: { decision: 'denied' } }, { decision: 'denied' }],
    [{ action: 'decline' }, { decision: 'denied' }],
    [{ action: 'cancel' }, { decision: 'abort', reason: 'the question was dismissed' }],
    [{ action: 'accept', decision: 'denied' }, { decision: 'denied' }],
    [{ action: 'accept', content: { decision: 'maybe' } }, undefined],
    [{ action: 'accept', content: { other: 1 } }, undefined],
    [{ action: 'accept', content: [] }, undefined],
    [{ action: 'maybe' }, undefined],
    [{ decision: 'maybe' }, undefined],
    [{}, undefined],
    [null, undefined],
    ['approved', undefined],
  ])('takes %j as %j', (result, verdict) => {
    expect(readDecision(result)).toEqual(verdict);
  });

  it('approves nothing that does not say so', () => {
    fc.assert(
      fc.property(fc.anything(), (result) => {
        const verdict = readDecision(result);
        const said = JSON.stringify(result) ?? '';
        return !verdict?.decision.startsWith('approved') || /"(approved|accept|approved_for_session)"/.test(said);
      }),
    );
  });
});

describe('verdictOf', () => {
  it('denies with the reason where the answer is an error or cannot be read', () => {
    expect(readReview({ kind: 'response', id: 0, error: { code: -32603, message: 'boom' } })).toEqual({
      decision: 'denied',
      reason: 'the client answered the question with error -32603: boom',
    });
    expect(readReview({ kind: 'response', id: 0, result: 7 })).toEqual({
      decision: 'denied',
      reason: 'the answer of the client could not be understood',
    });
  });

  it('keeps the fields that were filled in, which are no yes to another question', () => {
    const result = { action: 'accept', content: { name: 'Ann' } };
    expect(readReview({ kind: 'response', id: 0, result })).toEqual({
      decision: 'denied',
      reason: 'the answer of the client could not be understood',
      form: { name: 'Ann' },
    });
  });
});
