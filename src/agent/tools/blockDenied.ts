/** Recognizes a command that its sandbox stopped. */
import { concatMap, type MonoTypeOperatorFunction, scan } from 'rxjs';
import { isLikelyDenied } from '../../executor/sandbox/isLikelyDenied';
import type { Network } from '../../executor/sandbox/sandbox';
import type { EventMsg } from '../../protocol/codex/eventMsg';
import type { ApprovalRequest, ToolEvent } from './tool';

type End = Extract<EventMsg, { type: 'exec_command_end' }>;

/** `again`: what a person is asked if the sandbox stops the command; without it the model reads the output. */
export type DenialDeps = { network: Network; again: ApprovalRequest | undefined };

type Seen = { event: ToolEvent; end?: End };

/**
 * Replaces the output of a command that its sandbox stopped, if a person may be asked to run it again.
 *   in   b--(eo|)     (e an end with `Permission denied`, o the output)
 *   out  b--(efx|)    (f what failed, x blocked)
 */
export const blockDenied =
  ({ network, again }: DenialDeps): MonoTypeOperatorFunction<ToolEvent> =>
  (event$) =>
    event$.pipe(
      scan<ToolEvent, Seen, undefined>((seen, event) => ({ event, end: endOf(event) ?? seen?.end }), undefined),
      concatMap(({ event, end }) =>
        event.kind === 'output' && again !== undefined && end !== undefined && isDenied(end, network)
          ? [failed(end), { kind: 'blocked' as const, output: event.text, approval: again }]
          : [event],
      ),
    );

const endOf = (event: ToolEvent): End | undefined =>
  event.kind === 'event' && event.msg.type === 'exec_command_end' ? event.msg : undefined;

const isDenied = ({ exit_code: exitCode, stdout, stderr }: End, network: Network): boolean =>
  exitCode >= 0 && isLikelyDenied({ exitCode, stdout, stderr, network });

const SIGNALLED = 128;

/** Source: Codex 0.28.0, recorded decisions. */
const failed = ({ exit_code, stdout, stderr }: End): ToolEvent => ({
  kind: 'event',
  msg: {
    type: 'background_event',
    message:
      exit_code > SIGNALLED
        ? 'Execution failed: command was killed by a signal'
        : `Execution failed: sandbox denied exec error, exit code: ${exit_code}, stdout: ${stdout}, stderr: ${stderr}`,
  },
});
