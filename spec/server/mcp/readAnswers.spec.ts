import fc from 'fast-check';
import type { ReviewResult } from '../../../src/protocol/codex/engine';
import type { EventMsg } from '../../../src/protocol/codex/eventMsg';
import type { CodexEvent } from '../../../src/protocol/codex/events';
import {
  isFitting,
  readAnswer,
  readAnswers,
  readResponse,
  readSampling,
  toQuestionKey,
  whyUnfit,
} from '../../../src/server/mcp/readAnswers';
import { request } from '../../support/mcp';

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

const form = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    age: { type: 'integer' },
    size: { type: 'number' },
    sure: { type: 'boolean' },
    colour: { type: 'string', enum: ['red', 'blue'] },
    how: { type: 'string', oneOf: [{ const: 'fast', title: 'Fast' }] },
    tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
    titled: { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } },
    free: {},
  },
  required: ['name'],
};

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

describe('inputRequests', () => {
  const yes = { action: 'accept', content: { decision: 'approved' } };

  const no = { action: 'decline' };

  const unclear = { action: 'perhaps' };

  const asked = { keys: ['approval-7', 'form-8'], misread: [] };

  const requested_schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

  const form: EventMsg = { type: 'elicitation_request', server_name: 'mail', message: 'Who?', requested_schema };

  const about = { kind: 'event', callId: 'c', threadId: 'T', turnId: 'U', id: '1' } as const;

  const questions = new Map<number, CodexEvent>([
    [7, { ...about, msg: request as EventMsg, question: 7 }],
    [8, { ...about, msg: form, question: 8 }],
  ]);

  describe('toQuestionKey', () => {
    it('names a form apart from an approval', () => {
      expect(toQuestionKey(7, request as EventMsg)).toBe('approval-7');
      expect(toQuestionKey(8, form)).toBe('form-8');
    });
  });

  describe('readAnswers', () => {
    it('takes the answers to the questions that were asked', () => {
      const filled = { action: 'accept', content: { name: 'Ann' } };
      expect(readAnswers(questions, { 'approval-7': no, 'form-8': filled }, asked)).toEqual({
        verdicts: new Map([
          [7, { decision: 'denied' }],
          [8, { decision: 'approved', form: { name: 'Ann' } }],
        ]),
        misread: [],
      });
    });

    it.each([
      ['another call', 'approval-9'],
      ['another kind', 'form-7'],
      ['another notation', 'approval-07'],
      ['none', '7'],
      ['a member of Object', 'constructor'],
    ])('passes over the key of %s', (_, key) => {
      expect(readAnswers(questions, { [key]: yes }, asked)).toEqual({ verdicts: new Map(), misread: [] });
    });

    it('passes over a question that this state does not name, and one that is no longer open', () => {
      const other = { keys: ['form-8'], misread: [] };
      expect(readAnswers(questions, { 'approval-7': yes }, other).verdicts).toEqual(new Map());
      expect(readAnswers(new Map(), { 'approval-7': yes }, asked)).toEqual({ verdicts: new Map(), misread: [] });
    });

    it.each([
      ['has fields that were not asked for', 'approval-7', { action: 'accept', content: { name: 'Ann' } }],
      ['accepts without a choice', 'approval-7', { action: 'accept', content: {} }],
      ['lacks a field of the form', 'form-8', { action: 'accept', content: {} }],
      ['cannot be understood', 'approval-7', unclear],
    ])('asks once more for an answer that %s, then takes it as a decline', (_, key, answer) => {
      const first = readAnswers(questions, { [key]: answer }, asked);
      expect(first).toEqual({ verdicts: new Map(), misread: [key] });
      const second = readAnswers(questions, { [key]: answer }, { ...asked, ...first });
      const verdict = { decision: 'denied', reason: expect.any(String) };
      expect(second).toEqual({ verdicts: new Map([[Number(key.at(-1)), verdict]]), misread: [key] });
      expect(readAnswers(questions, { [key]: no }, { ...asked, ...first }).verdicts).toEqual(
        new Map([[Number(key.at(-1)), { decision: 'denied' }]]),
      );
    });
  });
});

describe('whyUnfit', () => {
  it.each([
    { name: 'Ann' },
    { name: '', age: 3, size: 1.5, sure: false, colour: 'blue', how: 'fast', tags: [], titled: ['a'], free: [1] },
    { name: 'Ann', tags: ['a', 'b'], other: 7 },
  ])('finds nothing wrong with %j', (content) => {
    expect(whyUnfit(form, content)).toBeUndefined();
  });

  it('names a field that is missing', () => {
    expect(whyUnfit(form, { age: 3 })).toBe('the form was accepted without `name`, which it requires');
    expect(whyUnfit(form, Object.create({ name: 'Ann' }))).toContain('`name`');
  });

  it.each([
    { name: null },
    { name: 7 },
    { age: 1.5 },
    { size: '1' },
    { sure: 'yes' },
    { colour: 'green' },
    { colour: ['red'] },
    { how: 'slow' },
    { tags: 'a' },
    { tags: ['c'] },
    { titled: ['b'] },
  ])('names the field whose value is wrong in %j', (wrong) => {
    const [name] = Object.keys(wrong);
    expect(whyUnfit(form, { name: 'Ann', ...wrong })).toBe(
      `the answer of the client has no valid value for \`${name}\``,
    );
  });

  it('asks for nothing when a form names no fields', () => {
    expect(whyUnfit({}, { a: 1 })).toBeUndefined();
    expect(whyUnfit({ properties: { a: 7 } }, { a: 1 })).toContain('`a`');
  });
});
