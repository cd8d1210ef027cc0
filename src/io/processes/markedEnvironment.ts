/** The environment of a child: the variables that are set, and a mark by which it and all its descendants are found. */
import type { ProcessSpec } from '../../protocol/exec/process';
import type { WatchGroup } from './child';

/** `mark` is the value of the mark; there is none if the system cannot find it. */
export const markedEnvironment = (
  { marks }: Pick<WatchGroup, 'marks'>,
  { env }: Pick<ProcessSpec, 'env'>,
): { env: Record<string, string>; mark?: string } => {
  if (marks === undefined) return { env };
  const { name, value } = marks.next();
  return { env: { ...env, [name]: value }, mark: value };
};

/** The variables that are set. */
export const presentVariables = (env: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter((pair): pair is [string, string] => pair[1] !== undefined));
