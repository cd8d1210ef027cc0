/** The files of a patch that a client of the exec-server sends. */
import { defer, map } from 'rxjs';
import { INVALID_PARAMS, RpcError } from '../../protocol/jsonrpc/messages';
import { readJournal } from '../applying/journal';
import type { Files } from '../files';
import { type PatchHereDeps, patchHere, toPlan } from '../localPatch/patchHere';

/** Applies them as patches of this machine: all or none, without following links. The sandbox of the process has decided what may be written. */
export const changeHere = (deps: PatchHereDeps): Pick<Files, 'change' | 'settle'> => {
  const { apply, settle } = patchHere(deps);
  return {
    change: (changes, journalId) => {
      const plan = { kind: 'plan' as const, files: changes.map(toPlan), summary: '' };
      return apply({ plan, mayWrite: () => true, ...(journalId !== undefined && { journalId }) }).pipe(
        map((outcome) => (outcome.kind === 'applied' ? { kind: 'applied' } : outcome)),
      );
    },
    settle: ({ journal: given, ...how }) =>
      defer(() => {
        const journal = readJournal(JSON.stringify(given));
        if (journal === undefined) throw new RpcError(INVALID_PARAMS, 'journal is not the journal of a patch');
        return settle(journal, how);
      }),
  };
};
