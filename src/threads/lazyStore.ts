/** A thread store that is opened when it is first used. */
import { defer, EMPTY } from 'rxjs';
import type { ThreadStore } from './threadStore';

/** @param open may throw: the operation that needed the store gets that error, and the next one calls it again */
export const lazyStore = (open: () => ThreadStore): ThreadStore => {
  let opened: ThreadStore | undefined;
  const store = (): ThreadStore => {
    opened ??= open();
    return opened;
  };
  return {
    begin: (start) => store().begin(start),
    resume: (ref) => defer(() => store().resume(ref)),
    list: (query) => defer(() => store().list(query)),
    read: (ref) => defer(() => store().read(ref)),
    fork: (ref, id) => defer(() => store().fork(ref, id)),
    archive: (ref) => defer(() => store().archive(ref)),
    restore: (ref) => defer(() => store().restore(ref)),
    remove: (ref) => defer(() => store().remove(ref)),
    close: () => opened?.close() ?? EMPTY,
  };
};
