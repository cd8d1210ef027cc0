/** The environment of a child, with a mark by which it and all that it starts can be found. */
import type { ProcessSpec } from '../protocol/exec';
import type { WatchGroup } from './watchGroup';

/** `mark` is the value of the mark; there is none where the system cannot find it, or the environment must be exact. */
export const markedEnvironment = (
  { marks }: Pick<WatchGroup, 'marks'>,
  { env, exactEnv }: ProcessSpec,
): { env: Record<string, string>; mark?: string } => {
  if (marks === undefined || exactEnv) return { env };
  const { name, value } = marks.next();
  return { env: { ...env, [name]: value }, mark: value };
};
