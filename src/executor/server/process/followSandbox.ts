/** Follows a process in its sandbox: which sandbox that is, and whether it denied the process something. */
import { type OperatorFunction, scan } from 'rxjs';
import type { ProcessEvent } from '../../../protocol/exec/process';
import type { InSandbox, Started } from '../../backend';

/** How a process in a sandbox ended, with the end of what it wrote; what a terminal showed counts as stdout. */
export type EndInSandbox = { exitCode: number; stdout: string; stderr: string; network: InSandbox['network'] };

/** @param isLikelyDenied whether the sandbox seems to have stopped a process that ended like this */
export type FollowDeps = { isLikelyDenied: (end: EndInSandbox) => boolean };

/** An event of a process; `sandbox` where it runs in one, and from its exit on whether that denied it something. */
export type Followed = { event: Started | ProcessEvent; sandbox?: InSandbox & { denied: boolean } };

type State = Followed & Pick<EndInSandbox, 'stdout' | 'stderr'>;

/** How much of the output is looked at; programs say last what stopped them. */
const MAX_CHARS = 8_192;

/**
 * Adds the sandbox to each event.
 *   in   s-o-x-z|    (o says `Permission denied`, x exit code 1)
 *   out  s-o-x-z|    (x and z with `denied`)
 */
export const followSandbox = (deps: FollowDeps): OperatorFunction<Started | ProcessEvent, Followed> =>
  scan<Started | ProcessEvent, State, undefined>((state, event) => step(deps, state, event), undefined);

const step = ({ isLikelyDenied }: FollowDeps, state: State | undefined, event: Started | ProcessEvent): State => {
  const { stdout = '', stderr = '', sandbox } = state ?? {};
  if (event.kind === 'started') {
    return { event, stdout, stderr, ...(event.sandbox && { sandbox: { ...event.sandbox, denied: false } }) };
  }
  if (sandbox === undefined) return { event, stdout, stderr };
  if (event.kind === 'output') return { event, sandbox, stdout, stderr, ...withOutput({ stdout, stderr }, event) };
  if (event.kind !== 'exited') return { event, stdout, stderr, sandbox };
  const { network } = sandbox;
  const denied = isLikelyDenied({ exitCode: event.exitCode, stdout, stderr, network });
  return { event, stdout, stderr, sandbox: { ...sandbox, denied } };
};

const withOutput = (
  { stdout, stderr }: Pick<EndInSandbox, 'stdout' | 'stderr'>,
  { stream, chunk }: Extract<ProcessEvent, { kind: 'output' }>,
) => {
  const text = Buffer.from(chunk).toString('latin1'); // the words are ASCII, and a chunk may end within a letter
  return stream === 'stderr'
    ? { stderr: (stderr + text).slice(-MAX_CHARS) }
    : { stdout: (stdout + text).slice(-MAX_CHARS) };
};
