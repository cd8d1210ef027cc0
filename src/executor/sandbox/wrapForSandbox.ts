/** Turns the process that was asked for into one that runs in a sandbox, by whatever makes them here. */
import type { ProcessSpec } from '../../protocol/exec';
import { type Sandbox, SandboxError } from './sandbox';
import { type Bubblewrap, toArgsFile, toBubblewrap } from './toBubblewrap';
import { type Seatbelt, toSeatbelt } from './toSeatbelt';

/** What makes sandboxes on this machine. */
export type Wrapper = Bubblewrap | Seatbelt;

/** Keeps bytes in a file that has no name, so that nobody can change it. `path` is for processes started from here. */
export type KeepBytes = (bytes: Uint8Array) => { path: string; release: () => void };

/** A process that can be started in place of another; `release` when it is over. */
export type Wrapped = { spec: ProcessSpec; release: () => void };

/**
 * The process to start instead of `spec`, with the same output, exit code and life. Pure but for the file with the environment.
 * Throws SandboxError for a process that cannot be wrapped.
 */
export const wrapForSandbox =
  (keepBytes: KeepBytes, wrapper: Wrapper) =>
  (sandbox: Sandbox, spec: ProcessSpec): Wrapped => {
    if (spec.arg0 !== undefined) throw new SandboxError('arg0 cannot be set for a process in a sandbox');
    if (wrapper.kind === 'seatbelt') return { spec: toSeatbelt(wrapper, sandbox)(spec), release: () => {} };
    const { path, release } = keepBytes(toArgsFile(sandbox, spec));
    return { spec: toBubblewrap(wrapper, sandbox, path)(spec), release };
  };
