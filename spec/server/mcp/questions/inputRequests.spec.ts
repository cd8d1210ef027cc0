import type { EventMsg } from '../../../../src/protocol/codex/eventMsg';
import type { CodexEvent } from '../../../../src/protocol/codex/events';
import { readAnswers, toQuestionKey } from '../../../../src/server/mcp/readAnswers';
import { request } from '../../../support/mcp';

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
