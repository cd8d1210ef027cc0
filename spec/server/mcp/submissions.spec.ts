import type { Call } from '../../../src/server/calls/calls';
import { emptyMap } from '../../../src/server/calls/persistentMap';
import type { CallInput, CallOutput } from '../../../src/server/calls/step';
import {
  countSubmission,
  noSubmissions,
  noteQuestions,
  submissionsOf,
} from '../../../src/server/mcp/connectionReducer';

const T = '00000000-0000-4000-8000-000000000001';
const call: Call<null> = { callId: 'c', requestId: 1, asksBy: 'request', caller: null };
const reply: CallInput<null> = {
  kind: 'begin',
  call,
  op: { kind: 'turn', callId: 'c', eventId: 'request', thread: { id: T.toUpperCase() }, input: [], askable: true },
};
const first: CallInput<null> = { ...reply, op: { ...reply.op, thread: { start: {} } } as never };
const answered: CallInput<null> = { kind: 'answered', question: 7, verdict: { decision: 'approved' } };
const question = { kind: 'question', call, question: 7, event: { threadId: T } } as CallOutput<null>;
const withdrawn: CallOutput<null> = { kind: 'withdrawn', call, questions: [7], reason: '' };

const count = (...inputs: CallInput<null>[]) =>
  inputs.reduce<ReturnType<typeof countSubmission<null>>>(
    ({ submissions }, input) => countSubmission({ numbersReplies: true }, submissions, input),
    {
      submissions: noSubmissions(),
      input: reply,
    },
  );

describe('countSubmission', () => {
  it('numbers the replies to a thread from 0 on, whatever the notation of its id; the first turn is none', () => {
    expect(count(first)).toEqual({ submissions: noSubmissions(), input: first });
    expect(count(first, reply).input).toMatchObject({ op: { eventId: '0' } });
    expect(count(first, reply, reply).input).toMatchObject({ op: { eventId: '1' } });
  });

  it('leaves the ids of events as they are on other faces', () => {
    const { input, submissions } = countSubmission({ numbersReplies: false }, noSubmissions(), reply);
    expect([input, submissionsOf(submissions, T)]).toEqual([reply, 1]);
  });

  it('counts the answer to an open question, once', () => {
    const asked = noteQuestions(noSubmissions(), question);
    const { submissions } = countSubmission({ numbersReplies: true }, asked, answered);
    const again = countSubmission({ numbersReplies: true }, submissions, answered);
    expect(submissionsOf(again.submissions, T)).toBe(1);
  });
});

describe('noteQuestions', () => {
  it('drops a question that is withdrawn', () => {
    expect(noteQuestions(noteQuestions(noSubmissions(), question), withdrawn).asked).toEqual(emptyMap());
  });
});
