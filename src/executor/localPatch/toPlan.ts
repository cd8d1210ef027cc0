/** A file of a patch as a client sends it, as a plan. */
import type { FileChange, FileContent } from '../files';
import type { FilePlan } from '../patch/plan';

export const toPlan = ({ before, after, ...change }: FileChange): FilePlan => ({
  ...change,
  before: toState(before),
  after: toState(after),
});

const toState = (content: FileContent | undefined): FilePlan['before'] => content && { ...content, access: 'writable' };
