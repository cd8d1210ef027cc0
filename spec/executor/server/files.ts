/** A double of a file system: each call is listed, and answered as a spec wants. */
import { EMPTY, type Observable } from 'rxjs';
import type { FileFacts, Files } from '../../../src/executor/files';

/** `calls` has name and arguments of each call. */
export const filesOf = (own: Partial<Files> = {}) => {
  const calls: unknown[][] = [];
  const files = new Proxy(own as Files, {
    get:
      (target, name: keyof Files) =>
      (...args: unknown[]): Observable<unknown> => {
        calls.push([name, ...args]);
        const answer = target[name] as ((...given: unknown[]) => Observable<unknown>) | undefined;
        return answer?.(...args) ?? EMPTY;
      },
  });
  return { files, calls };
};

export const facts = (own: Partial<FileFacts> = {}): FileFacts => ({
  isDirectory: false,
  isFile: true,
  isSymlink: false,
  size: 3,
  createdAtMs: 1,
  modifiedAtMs: 2,
  ...own,
});
