import { withdrawn } from '../../../src/server/calls/withdrawn';
import { callA } from '../../support/calls';

describe('withdrawn', () => {
  it('is one output for all questions, in their order', () => {
    const questions = new Map([
      [8, ''],
      [7, ''],
    ]).keys();
    expect(withdrawn(callA, questions, 'late')).toEqual([
      { kind: 'withdrawn', call: callA, questions: [8, 7], reason: 'late' },
    ]);
  });

  it('is none without questions', () => {
    expect(withdrawn(callA, [], 'late')).toEqual([]);
  });
});
