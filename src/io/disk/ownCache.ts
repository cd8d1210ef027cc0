/** The folder in which Node keeps the compiled code of this program. */
import { basename, dirname, isAbsolute, join } from 'node:path';
import { realPathOf } from '../paths/look';

type Variables = Readonly<Record<string, string | undefined>>;

/** `codex-rx` in the user's folder of caches, without links; undefined without a home. Source: XDG Base Directory Specification 0.8. */
export const ownCache = ({ XDG_CACHE_HOME: caches = '', HOME: home = '' }: Variables): string | undefined => {
  const named = isAbsolute(caches) ? caches : join(home, '.cache');
  const real = isAbsolute(named) ? toRealPath(named) : undefined;
  return real && join(real, 'codex-rx');
};

/** The path without links; its last part may be missing. Undefined if more is missing. */
const toRealPath = (path: string): string | undefined => {
  const parent = realPathOf(dirname(path));
  return realPathOf(path) ?? (parent && join(parent, basename(path)));
};
