/** Withdrawing questions that need no answer any more. */
import type { Call } from './call';
import type { CallOutput } from './step';

/** The output for these questions; none when there are none. */
export const withdrawn = <C>(call: Call<C>, questions: Iterable<number>, reason: string): CallOutput<C>[] => {
  const open = [...questions];
  return open.length === 0 ? [] : [{ kind: 'withdrawn', call, questions: open, reason }];
};
