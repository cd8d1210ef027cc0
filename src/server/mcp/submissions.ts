/** What was submitted to each thread: in 0.28.0 the number of a submission is the id of the events of its turn. */
import type { Event } from '../../protocol/codex/events';
import { toUuid } from '../../protocol/codex/toUuid';
import { emptyMap, getValue, type PersistentMap, withoutKey, withValue } from '../calls/persistentMap';
import type { CallInput, CallOutput } from '../calls/step';

/** `counts` by thread id; `asked` are the threads of the questions that are open. */
export type Submissions = { counts: PersistentMap<number>; asked: PersistentMap<string> };

/** Before the first one. */
export const noSubmissions = (): Submissions => ({ counts: emptyMap(), asked: emptyMap() });

/** How many a thread has had. */
export const submissionsOf = ({ counts }: Submissions, threadId: string): number => getValue(counts, threadId) ?? 0;

type Counted<C> = { submissions: Submissions; input: CallInput<C> | Event };

/**
 * Counts input for a thread that exists, an interrupt, and the answer to a question. With `numbersReplies` the id of the events of a reply is its
 * number. Source: Codex 0.28.0, WIRE 5.1.
 */
export const countSubmission = <C>(
  { numbersReplies }: { numbersReplies: boolean },
  submissions: Submissions,
  input: CallInput<C> | Event,
): Counted<C> => {
  const threadId = threadOf(submissions, input);
  if (threadId === undefined) return { submissions, input };
  const count = submissionsOf(submissions, threadId);
  const asked = input.kind === 'answered' ? without(submissions.asked, [input.question]) : submissions.asked;
  const next = { counts: withValue(submissions.counts, threadId, count + 1), asked };
  return numbersReplies && input.kind === 'begin' && input.op.kind === 'turn'
    ? { submissions: next, input: { ...input, op: { ...input.op, eventId: String(count) } } }
    : { submissions: next, input };
};

const COUNTED: readonly string[] = ['turn', 'input', 'interruptThread'];

const threadOf = <C>({ asked }: Submissions, input: CallInput<C> | Event): string | undefined => {
  if (input.kind === 'answered') return getValue(asked, String(input.question));
  if (input.kind !== 'begin' || !COUNTED.includes(input.op.kind)) return undefined;
  return 'id' in input.op.thread ? toUuid(input.op.thread.id) : undefined;
};

/** Notes which thread asks, until its question needs no answer. */
export const noteQuestions = <C>(submissions: Submissions, output: CallOutput<C>): Submissions => {
  if (output.kind === 'question') {
    const { threadId } = output.event;
    return { ...submissions, asked: withValue(submissions.asked, String(output.question), threadId) };
  }
  if (output.kind !== 'withdrawn') return submissions;
  return { ...submissions, asked: without(submissions.asked, output.questions) };
};

const without = (asked: Submissions['asked'], questions: readonly number[]): Submissions['asked'] =>
  questions.map(String).reduce(withoutKey, asked);
