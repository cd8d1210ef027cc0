/** The notifications of an exec-server as the events of one process. */
import { mergeMap, type OperatorFunction } from 'rxjs';
import type { ProcessEvent } from '../../protocol/exec/process';
import { WireClosed, WireExited, WireOutput } from '../../protocol/exec/results';
import { checkParams } from '../../protocol/jsonrpc/checkParams';
import { isObject } from '../../protocol/jsonrpc/json';
import type { Log } from '../../protocol/log';
import type { RpcNotification } from '../../protocol/rpc/messages';
import { isLagged, type Lagged } from '../lag/lagged';
import { toChunk } from './readResult';

/**
 * Emits the events of the process with this id, and `lagged`; ignores all else. Params that cannot be read are logged and
 * skipped: the missing number is noticed, and the event read again.
 */
export const eventsOf =
  (processId: string, log: Log): OperatorFunction<RpcNotification | Lagged, ProcessEvent | Lagged> =>
  (notification$) =>
    notification$.pipe(
      mergeMap((item) => {
        if (isLagged(item)) return [item];
        if (!isObject(item.params) || item.params.processId !== processId) return [];
        try {
          return toEvent(item);
        } catch (error) {
          const { message: why } = error as Error;
          log('warning', 'a notification of the exec-server cannot be read', { method: item.method, why });
          return [];
        }
      }),
    );

/** The event of a notification. Throws where its params are not what its method has. */
const toEvent = ({ method, params }: RpcNotification): ProcessEvent[] => {
  switch (method) {
    case 'process/output':
      return [{ kind: 'output', ...toChunk(checkParams(WireOutput(), params)) }];
    case 'process/exited':
      return [{ kind: 'exited', ...checkParams(WireExited(), params) }];
    case 'process/closed':
      return [{ kind: 'closed', ...checkParams(WireClosed(), params) }];
    default:
      return [];
  }
};
