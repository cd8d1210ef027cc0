/** The name of a path as it is shown to a person. */
import { withoutEndSlash } from '../../streams/text/withoutEndSlash';

const DULL = new Set(['', 'build', 'dist', 'node_modules', 'src']);

/**
 * The last component that is informative; the whole path if none is.
 *   packages/app/src/ -> app      node_modules -> node_modules      / -> (empty)
 * Source: Codex 0.28.0, recorded cases; backslashes separate too.
 */
export const shortPath = (path: string): string => {
  const trimmed = withoutEndSlash(path.replaceAll('\\', '/'));
  return trimmed.split('/').findLast((part) => !DULL.has(part)) ?? trimmed;
};
