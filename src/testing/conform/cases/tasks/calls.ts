/** What cases of tasks that run are written with: the call that becomes a task, and what is asked of it. */
import { toObject } from '../../../../protocol/jsonrpc/json';
import { isEnded } from '../../../../protocol/mcp/tasks';
import type { Message } from '../../../messages';
import type { ConformCase, Given } from '../../conformCase';
import { awaited, emptyFault, result, short } from '../../expecting';
import { createdFault, detailedFault } from './rules';
import { paramsOf, TASKS } from './withoutTask';

type Json = Readonly<Record<string, unknown>>;

/** Stands for the id of the task. */
export const TASK = '<string $task>';

const taskIdOf = ({ result: outcome }: Json): unknown => toObject(outcome).taskId;

/** The answer to a call that becomes a task. */
export const created = (letter: string, name = '$task'): Message =>
  result(
    letter,
    ({ result: outcome }) =>
      toObject(outcome).resultType === 'task'
        ? createdFault(outcome)
        : `its resultType is not "task": ${short(outcome)}`,
    { [name]: taskIdOf },
  );

/** The task as it is. @param faultOf what else is wrong with it */
export const task = (letter: string, faultOf: (task: Json) => string | undefined = () => undefined): Message =>
  result(letter, ({ result: outcome }) => detailedFault(outcome) ?? faultOf(toObject(outcome)));

/** The same when it has ended. */
export const ended = (letter: string, faultOf?: (task: Json) => string | undefined): Message =>
  awaited(task(letter, faultOf), ({ result: outcome }) => {
    const { status } = toObject(outcome);
    return typeof status === 'string' && !isEnded({ status: status as 'working' });
  });

/** An acknowledgement. */
export const acknowledged = (letter: string): Message =>
  result(letter, (message) => {
    const { resultType, _meta, ...rest } = toObject(message.result);
    if (resultType !== 'complete') return `its resultType is ${short(resultType)}`;
    return emptyFault({ result: rest });
  });

/** A request of the task. */
export const of = ({ request }: Given, method: string, more: object = {}): Message =>
  request(method, paramsOf(method, TASK, more));

/** A call of the tool. */
export const call = ({ request, tool }: Given): Message =>
  request('tools/call', { name: tool.name, arguments: tool.arguments });

/** What cases of such a task have. */
export const RUNNING = { ...TASKS, needs: ['task'] } satisfies Partial<ConformCase>;

/** What follows the call `t` and its answer `T`. */
export const whenCreated = (client: string, server: string, values: (given: Given) => Record<string, Message>) => ({
  client: `t-${client}`,
  server: `-T${server}`,
  values: (given: Given) => ({ t: call(given), T: created('t'), ...values(given) }),
});
