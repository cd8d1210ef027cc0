/** Makes sandboxes on this machine; looks for the program that does it when the first one is needed. */
import { concatMap, type Observable, of, shareReplay, tap } from 'rxjs';
import type { ProcessEvent } from '../../protocol/exec/process';
import type { Log } from '../../protocol/log';
import type { Backend } from '../backend';
import type { Entered } from './enterSandbox';
import { type SandboxBackendDeps, sandboxBackend } from './sandboxBackend';
import { type FindWrapperDeps, type FoundWrapper, findWrapper } from './wrapper/findWrapper';
import { wrapForSandbox } from './wrapper/wrapForSandbox';

/** @param log gets one warning where no sandbox works */
export type SandboxMakerDeps = FindWrapperDeps & Pick<SandboxBackendDeps, 'cannotRun' | 'later'> & { log: Log };

/**
 * `found$` emits once and completes. `inside` is a backend whose processes each run in a sandbox of their own, which `enter`
 * makes; where there is nothing to make sandboxes with, they fail with the remedy.
 */
export type SandboxMaker = {
  found$: Observable<FoundWrapper>;
  inside: (backend: Backend, enter: () => Entered) => Backend;
};

const TYPES = { bubblewrap: 'linuxSeccomp', seatbelt: 'macosSeatbelt' } as const;

/** What makes the sandboxes of this machine, by its platform. */
export const sandboxMaker = (deps: SandboxMakerDeps): SandboxMaker => {
  const found$ = findWrapper(deps).pipe(
    tap((found) => found.kind === 'missing' && deps.log('warning', found.remedy)),
    shareReplay(1),
  );
  const failed = (reason: string) => of<ProcessEvent>({ kind: 'failed', seq: 1, reason });
  return {
    found$,
    inside: (backend, enter) => ({
      start: (spec) =>
        found$.pipe(
          concatMap((found) => {
            if (found.kind === 'missing') return failed(found.remedy);
            const wrap = wrapForSandbox(deps, found.wrapper);
            return sandboxBackend({ ...deps, backend, enter, wrap, type: TYPES[found.wrapper.kind] }).start(spec);
          }),
        ),
    }),
  };
};
