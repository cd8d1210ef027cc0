import fc from 'fast-check';
import type { ReviewResult } from '../../../../src/protocol/codex';
import { isUnderstood, readAnswer, readResponse } from '../../../../src/server/mcp/questions/readAnswer';

const approved: ReviewResult = { decision: 'approved' };
const denied: ReviewResult = { decision: 'denied' };
const unclear: ReviewResult = { decision: 'denied', reason: 'the answer of the client could not be understood' };
const twofold: ReviewResult = { decision: 'denied', reason: 'the answer of the client contradicts itself' };
const dismissed: ReviewResult = { decision: 'denied', reason: 'the question was dismissed' };

describe('readAnswer', () => {
  it.each<[unknown, ReviewResult]>([
    [{ decision: 'approved' }, approved],
    [{ decision: 'abort' }, { decision: 'abort' }],
    [{ action: 'accept' }, approved],
    [{ action: 'accept', content: null }, approved],
    [
      { action: 'accept', content: {} },
      { ...approved, form: {} },
    ],
    [
      { action: 'accept', content: { decision: 'approved_for_session' } },
      { decision: 'approved_for_session', form: { decision: 'approved_for_session' } },
    ],
    [{ action: 'accept', content: { decision: 'denied' } }, denied],
    [{ action: 'accept', content: { decision: 'abort' } }, { decision: 'abort' }],
    [{ action: 'decline' }, denied],
    [{ action: 'decline', content: {} }, denied],
    [{ action: 'cancel' }, dismissed],
    [{ action: 'cancel', content: { name: 'Ann' } }, dismissed],
    [{ action: 'cancel', decision: 'abort' }, { decision: 'abort' }],
  ])('takes %j as %j', (answer, verdict) => {
    expect(readAnswer(answer)).toEqual(verdict);
  });

  it.each([
    { action: 'accept', content: { decision: 'denied' }, decision: 'approved' },
    { action: 'accept', content: { decision: 'approved_for_session' }, decision: 'approved' },
    { action: 'decline', decision: 'approved' },
    { action: 'cancel', decision: 'approved_for_session' },
    { action: 'decline', content: { decision: 'approved' } },
    { decision: 'approved', content: { decision: 'abort' } },
  ])('declines %j, which contradicts itself', (answer) => {
    expect(readAnswer(answer)).toEqual(twofold);
  });

  it.each([
    ...[null, undefined, 7, 'approved', [], {}],
    ...[{ action: 'maybe' }, { decision: 'maybe' }, { decision: 'maybe', action: 'accept' }],
    ...[{ decision: 'approved', action: 'maybe' }, { content: { decision: 'approved' } }],
    ...[
      { action: 'accept', content: [] },
      { action: 'accept', content: 'yes' },
    ],
    { decision: 'approved', content: { decision: 'maybe' } },
  ])('declines %j, which it does not understand', (answer) => {
    expect(readAnswer(answer)).toEqual(unclear);
    expect([isUnderstood('approval', answer), isUnderstood('form', answer)]).toEqual([false, false]);
  });

  it.each([{ name: 'Ann' }, { decision: 'merge' }])(
    'keeps the fields %j, which are no yes to another question',
    (content) => {
      expect(readAnswer({ action: 'accept', content })).toEqual({ ...unclear, form: content });
      expect(isUnderstood('form', { action: 'accept', content })).toBe(true);
      expect(isUnderstood('approval', { action: 'accept', content })).toBe(false);
    },
  );

  it('keeps no fields beside a no', () => {
    expect(readAnswer({ action: 'accept', content: { name: 'Ann' }, decision: 'denied' })).toEqual(denied);
  });

  it('approves only what is an explicit approval', () => {
    const member = fc.constantFrom('approved', 'denied', 'accept', 'decline', 'cancel', undefined, null, 7);
    const answer = fc.record({ decision: member, action: member, content: fc.option(fc.record({ decision: member })) });
    fc.assert(
      fc.property(fc.oneof(fc.anything(), answer), (result) => {
        const text = JSON.stringify(result) ?? '';
        const isYes = readAnswer(result).decision.startsWith('approved');
        return (
          !isYes || (/"(approved|accept|approved_for_session)"/.test(text) && !/"(denied|decline|cancel)"/.test(text))
        );
      }),
    );
  });
});

describe('isUnderstood', () => {
  it.each([{ action: 'accept' }, { action: 'decline' }, { action: 'decline', decision: 'approved' }])(
    'holds for %j',
    (answer) => {
      expect([isUnderstood('approval', answer), isUnderstood('form', answer)]).toEqual([true, true]);
    },
  );
});

describe('readResponse', () => {
  it('declines with the reason where the response is an error or holds nothing', () => {
    expect(readResponse({ kind: 'response', id: 0, error: { code: -32603, message: 'boom' } })).toEqual({
      decision: 'denied',
      reason: 'the client answered the question with error -32603: boom',
    });
    expect(readResponse({ kind: 'response', id: 0, json: '{}' })).toEqual(unclear);
  });

  it('keeps the answer of a model, which is no yes to a question', () => {
    const sampled = { role: 'assistant', model: 'm', content: { type: 'text', text: 'approved' } };
    expect(readResponse({ kind: 'response', id: 0, result: sampled })).toEqual({ ...unclear, sampled });
    const both = { ...sampled, decision: 'approved' };
    expect(readResponse({ kind: 'response', id: 0, result: both })).not.toHaveProperty('sampled');
  });
});
