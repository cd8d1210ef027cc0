/** Failures that are known: a file with a name on each line, `ID` or `ID@REVISION`, and `#` before a remark. */
import type { Result } from './conform';
import type { Sentence } from './conformCase';

/** The names in the file. */
export type KnownFailures = ReadonlySet<string>;

/** The file cannot be used. */
class KnownFailureError extends Error {
  override name = 'UsageError';
}

/** The name of a result: the case and its revision. */
export const nameOf = ({ sentence, revision }: Pick<Result, 'sentence' | 'revision'>): string =>
  `${sentence.id}@${revision}`;

/** Whether a failure is known. */
export const isKnown = (names: KnownFailures, one: Result): boolean =>
  names.has(one.sentence.id) || names.has(nameOf(one));

/** Reads the text of a file. Throws KnownFailureError for a name that no case has. */
export const toKnownFailures = (text: string, sentences: readonly Sentence[]): KnownFailures => {
  const known = new Set(
    sentences.flatMap(({ id, revisions }) => [id, ...revisions.map((revision) => `${id}@${revision}`)]),
  );
  const names = text
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter((name) => name !== '');
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined)
    throw new KnownFailureError(`${unknown} is the name of no case: codex-rx conform --list prints them`);
  return new Set(names);
};
