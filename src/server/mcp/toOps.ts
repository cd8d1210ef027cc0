/** Owns what an agent is told of the commands. */
import { map, type OperatorFunction, scan } from 'rxjs';
import type { Op } from '../../protocol';
import { flatten } from '../../streams';
import type { CallCommand } from './command';
import { keyOf } from './method';

const REMEMBERED_REQUESTS = 10_000;

/** Calls begin turns; a cancel interrupts the turn of the call that its request belongs to. */
export const toOps = (): OperatorFunction<CallCommand, Op> => (command$) =>
  command$.pipe(
    scan(
      ({ calls }, command) => {
        if (command.kind === 'begin' || command.kind === 'resume') remember(calls, command.call);
        if (command.kind === 'begin') return { calls, ops: [command.op] };
        const callId = command.kind === 'cancel' && calls.get(keyOf(command.requestId) ?? '');
        return { calls, ops: callId ? [{ kind: 'interrupt' as const, callId }] : [] };
      },
      { calls: new Map<string, string>(), ops: [] as Op[] },
    ),
    map(({ ops }) => ops),
    flatten(),
  );

const remember = (calls: Map<string, string>, { id, callId }: { id: unknown; callId: string }): void => {
  calls.set(keyOf(id) as string, callId);
  const [oldest] = calls.keys();
  if (calls.size > REMEMBERED_REQUESTS && oldest !== undefined) calls.delete(oldest);
};
