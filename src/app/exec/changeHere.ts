/** The files of a patch that a client of the exec-server sends. */
import { map } from 'rxjs';
import type { FileChange, FileContent, Files } from '../../executor';
import type { FilePlan } from '../../patch';
import { type PatchHereDeps, patchHere } from '../applyPatch';

/**
 * Applies them as a patch of this machine is applied: all or none, without following links. What may be written is decided before, by the sandbox that the process is in.
 */
export const changeHere = (deps: PatchHereDeps): Files['change'] => {
  const { apply } = patchHere(deps);
  return (changes) => {
    const files = changes.map(toPlan);
    return apply({ plan: { kind: 'plan', files, summary: '' }, mayWrite: () => true }).pipe(
      map((outcome) => (outcome.kind === 'applied' ? { kind: 'applied' } : outcome)),
    );
  };
};

const toPlan = ({ before, after, ...change }: FileChange): FilePlan => ({
  ...change,
  before: toState(before),
  after: toState(after),
});

const toState = (content: FileContent | undefined): FilePlan['before'] => content && { ...content, access: 'writable' };
