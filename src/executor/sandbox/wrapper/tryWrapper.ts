/** Tries a wrapper with a command that does nothing. */
import { defer, type Observable, reduce } from 'rxjs';
import type { ProcessEvent } from '../../../protocol/exec/process';
import type { Backend, Started } from '../../backend';
import type { Sandbox } from '../sandbox';
import { type WrapDeps, type Wrapper, wrapForSandbox } from './wrapForSandbox';

/** How a trial ended. `exitCode`: undefined if nothing was started; `stderr`: what was printed, or why nothing was started. */
export type Trial = { wrapper: Wrapper; exitCode: number | undefined; stderr: string };

const NOTHING: Sandbox = { writable: [], readOnly: [], hidden: [], network: 'closed' };

/** Emits once how the trial of a wrapper ended, and completes. */
export const tryWrapper =
  (backend: Backend, deps: WrapDeps, sandbox = NOTHING) =>
  (wrapper: Wrapper): Observable<Trial> =>
    defer(() => {
      const { spec } = wrapForSandbox(deps, wrapper)(sandbox, { argv: ['/bin/sh', '-c', ':'], cwd: '/', env: {} });
      return backend.start(spec).pipe(reduce(addTo, { wrapper, exitCode: undefined, stderr: '' } as Trial));
    });

const addTo = (trial: Trial, event: Started | ProcessEvent): Trial => {
  switch (event.kind) {
    case 'exited':
      return { ...trial, exitCode: event.exitCode };
    case 'output':
      return { ...trial, stderr: trial.stderr + Buffer.from(event.chunk).toString() };
    case 'failed':
      return { ...trial, stderr: event.reason };
    default:
      return trial;
  }
};
