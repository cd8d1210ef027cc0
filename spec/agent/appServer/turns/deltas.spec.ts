import { startItem } from '../../../../src/agent/appServer/turns/reduceItem';
import { DELTAS } from '../../../../src/agent/appServer/turns/reduceNotification';
import { initialTurn, type ReduceParams } from '../../../../src/agent/appServer/turns/turnState';

const reduce = (method: string): ReduceParams => DELTAS[method] as ReduceParams;

describe('DELTAS', () => {
  it.each([
    ['item/agentMessage/delta', 'agent_message_delta'],
    ['item/reasoning/summaryTextDelta', 'agent_reasoning_delta'],
    ['item/reasoning/textDelta', 'agent_reasoning_raw_content_delta'],
  ])('takes %s for %s', (method, type) => {
    const result = reduce(method)(initialTurn, { delta: 'x', itemId: 'i' });
    expect(result).toEqual({ state: initialTurn, output: [{ type, delta: 'x', item_id: 'i' }] });
  });

  it('announces the command whose output comes, once', () => {
    const params = { item: { id: 'c', type: 'commandExecution', source: 'agent', command: 'ls', cwd: '/' } };
    const output = reduce('item/commandExecution/outputDelta');
    const delta = { type: 'exec_command_output_delta', call_id: 'c', stream: 'stdout', chunk: Buffer.from('x') };
    const first = output(startItem(initialTurn, params).state, { itemId: 'c', delta: 'x' });
    expect(first.output).toEqual([expect.objectContaining({ type: 'exec_command_begin', call_id: 'c' }), delta]);
    expect(output(first.state, { itemId: 'c', delta: 'x' }).output).toEqual([delta]);
  });
});
