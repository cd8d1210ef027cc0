import { readAnswers, toQuestionKey } from '../../../../src/server/mcp/questions/inputRequests';

const yes = { action: 'accept', content: { decision: 'approved' } };
const no = { action: 'decline' };
const unclear = { action: 'perhaps' };
const asked = { keys: ['approval-7', 'form-8'], misread: [] };

describe('toQuestionKey', () => {
  it('names a form apart from an approval', () => {
    expect(toQuestionKey(7, { codex_elicitation: 'exec-approval' })).toBe('approval-7');
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
    expect(toQuestionKey(8, { codex_elicitation: 'mcp-server', requestedSchema })).toBe('form-8');
  });
});

describe('readAnswers', () => {
  it('takes the answers to the questions that were asked', () => {
    const form = { action: 'accept', content: { name: 'Ann' } };
    expect(readAnswers({ 'approval-7': no, 'form-8': form }, asked)).toEqual({
      verdicts: new Map([
        [7, { decision: 'denied' }],
        [8, { decision: 'denied', reason: expect.any(String), form: { name: 'Ann' } }],
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
    expect(readAnswers({ [key]: yes }, asked)).toEqual({ verdicts: new Map(), misread: [] });
  });

  it('asks once more where fields are no answer to a question for a decision', () => {
    const fields = { 'approval-7': { action: 'accept', content: { name: 'Ann' } } };
    expect(readAnswers(fields, asked)).toEqual({ verdicts: new Map(), misread: ['approval-7'] });
  });

  it('asks once more for an answer that cannot be understood, then takes it as a decline', () => {
    const first = readAnswers({ 'approval-7': unclear }, asked);
    expect(first).toEqual({ verdicts: new Map(), misread: ['approval-7'] });
    expect(readAnswers({ 'approval-7': unclear }, { ...asked, ...first })).toEqual({
      verdicts: new Map([[7, { decision: 'denied', reason: 'the answer of the client could not be understood' }]]),
      misread: ['approval-7'],
    });
    expect(readAnswers({ 'approval-7': no }, { ...asked, ...first }).verdicts).toEqual(
      new Map([[7, { decision: 'denied' }]]),
    );
  });
});
