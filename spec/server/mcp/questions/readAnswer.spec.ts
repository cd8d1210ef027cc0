import fc from 'fast-check';
import type { ReviewResult } from '../../../../src/protocol/codex/approval';
import { isFitting, readAnswer, readResponse, readSampling } from '../../../../src/server/mcp/readAnswers';

const approved: ReviewResult = { decision: 'approved' };
const denied: ReviewResult = { decision: 'denied' };
const because = (reason: string): ReviewResult => ({ decision: 'denied', reason });
const unclear = because('the answer of the client could not be understood');
const twofold = because('the answer of the client contradicts itself');
const dismissed = because('the question was dismissed');
const choices = 'approved, approved_for_session, denied, abort';
const noChoice = because(
  `the question was accepted without a choice, which is no yes; the answer must choose one of ${choices}`,
);
const unknownChoice = because(`the answer of the client chose none of ${choices}`);

const read = (answer: unknown) => readAnswer(undefined, answer);

describe('readAnswer, for a decision', () => {
  it.each<[unknown, ReviewResult]>([
    [{ decision: 'approved' }, approved],
    [{ decision: 'abort' }, { decision: 'abort' }],
    [{ action: 'accept', content: { decision: 'approved' } }, approved],
    [{ action: 'accept', content: { decision: 'approved_for_session' } }, { decision: 'approved_for_session' }],
    [{ action: 'accept', content: { decision: 'denied' } }, denied],
    [{ action: 'accept', content: { decision: 'abort' } }, { decision: 'abort' }],
    [{ action: 'accept', content: { decision: 'approved' }, decision: 'approved' }, approved],
    [{ action: 'accept', decision: 'approved' }, approved],
    [{ action: 'decline' }, denied],
    [{ action: 'decline', content: {} }, denied],
    [{ action: 'cancel' }, dismissed],
    [{ action: 'cancel', content: { name: 'Ann' } }, dismissed],
    [{ action: 'cancel', decision: 'abort' }, { decision: 'abort' }],
  ])('takes %j as %j', (answer, verdict) => {
    expect(read(answer)).toEqual(verdict);
    expect(isFitting(undefined, answer)).toBe(true);
  });

  it.each([
    { action: 'accept', content: { decision: 'denied' }, decision: 'approved' },
    { action: 'accept', content: { decision: 'approved_for_session' }, decision: 'approved' },
    { action: 'decline', decision: 'approved' },
    { action: 'cancel', decision: 'approved_for_session' },
    { action: 'decline', content: { decision: 'approved' } },
    { decision: 'approved', content: { decision: 'abort' } },
  ])('declines %j, which contradicts itself', (answer) => {
    expect(read(answer)).toEqual(twofold);
    expect(isFitting(undefined, answer)).toBe(true);
  });

  it.each([
    { action: 'accept' },
    { action: 'accept', content: null },
    { action: 'accept', content: {} },
    { action: 'accept', content: { decision: null } },
    { action: 'accept', content: { name: 'Ann' } },
  ])('declines %j, which accepts without a choice', (answer) => {
    expect(read(answer)).toEqual(noChoice);
    expect(isFitting(undefined, answer)).toBe(false);
  });

  it.each([
    { action: 'accept', content: { decision: 'merge' } },
    { action: 'accept', content: { decision: '' } },
    { action: 'accept', content: { decision: true } },
    { action: 'accept', content: { decision: ['approved'] } },
    { action: 'accept', content: { decision: ['approved', 'denied'] } },
    { decision: 'maybe' },
    { decision: 'maybe', action: 'accept' },
    { decision: 'approved', content: { decision: 'maybe' } },
  ])('declines %j, which chooses none of what was offered', (answer) => {
    expect(read(answer)).toEqual(unknownChoice);
    expect(isFitting(undefined, answer)).toBe(false);
  });

  it.each([
    ...[null, undefined, 7, 'approved', [], {}],
    ...[{ action: 'maybe' }, { decision: 'approved', action: 'maybe' }, { content: { decision: 'approved' } }],
    { action: 'accept', content: [] },
    { action: 'accept', content: 'yes' },
  ])('declines %j, which it does not understand', (answer) => {
    expect(read(answer)).toEqual(unclear);
    expect(isFitting(undefined, answer)).toBe(false);
  });

  it('approves only by an explicit approval', () => {
    const member = fc.constantFrom('approved', 'denied', 'accept', 'decline', 'cancel', undefined, null, 7);
    const answer = fc.record({ decision: member, action: member, content: fc.option(fc.record({ decision: member })) });
    fc.assert(
      fc.property(fc.oneof(fc.anything(), answer), (result) => {
        const text = JSON.stringify(result) ?? '';
        const isYes = read(result).decision.startsWith('approved');
        return !isYes || (/"(approved|approved_for_session)"/.test(text) && !/"(denied|decline|cancel)"/.test(text));
      }),
    );
  });
});

describe('readAnswer, for a form', () => {
  const form = { type: 'object', properties: { decision: { type: 'string', enum: ['merge', 'denied'] } } };
  const optional = (answer: unknown) => readAnswer(form, answer);
  const required = (answer: unknown) => readAnswer({ ...form, required: ['decision'] }, answer);

  it('takes the fields that fit, whatever their names and values', () => {
    for (const content of [{ decision: 'merge' }, { decision: 'denied' }, {}]) {
      expect(optional({ action: 'accept', content })).toEqual({ decision: 'approved', form: content });
    }
  });

  it.each([
    { action: 'accept', content: {} },
    { action: 'accept', content: { decision: 'approved' } },
  ])('declines %j, which does not fit', (answer) => {
    expect(required(answer)).toEqual(because(expect.stringContaining('`decision`')));
    expect(isFitting({ ...form, required: ['decision'] }, answer)).toBe(false);
  });

  it.each([{ action: 'accept' }, { action: 'accept', content: null }, { decision: 'approved' }])(
    'declines %j, which has no fields',
    (answer) => {
      expect(optional(answer)).toEqual(because('the form was accepted without its fields'));
    },
  );

  it('keeps no fields beside a no', () => {
    expect(optional({ action: 'accept', content: {}, decision: 'denied' })).toEqual(denied);
    expect(optional({ action: 'decline', content: { decision: 'merge' } })).toEqual(denied);
    expect(optional({ action: 'cancel' })).toEqual(dismissed);
  });
});

describe('readResponse', () => {
  it('declines with the reason if the response is an error or holds nothing', () => {
    const error = { code: -32603, message: 'boom' };
    expect(readResponse(undefined, { kind: 'response', id: 0, error })).toEqual(
      because('the client answered the question with error -32603: boom'),
    );
    expect(readResponse(undefined, { kind: 'response', id: 0, json: '{}' })).toEqual(unclear);
  });
});

describe('readSampling', () => {
  it('keeps the answer of a model, which is no yes to a question', () => {
    const sampled = { role: 'assistant', model: 'm', content: { type: 'text', text: 'approved' } };
    expect(readSampling({ kind: 'response', id: 0, result: sampled })).toEqual({ ...unclear, sampled });
  });

  it('keeps the reason if there is none', () => {
    const error = { code: -1, message: 'no' };
    expect(readSampling({ kind: 'response', id: 0, error })).toEqual(because(expect.stringContaining('error -1: no')));
    expect(readSampling({ kind: 'response', id: 0, result: { decision: 'approved' } })).toEqual(unclear);
  });
});
