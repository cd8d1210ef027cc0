/** The pieces of an item that is still being produced. */
import type { EventMsg } from '../../../protocol/codex/eventMsg';
import { DeltaParams, read } from '../shapes';
import { announceItem } from './startItem';
import { emitting, type ReduceParams } from './turnState';

type TextDelta = Extract<EventMsg, { delta: string }>['type'];

const textDelta = (type: TextDelta): ReduceParams =>
  emitting((params) => {
    const { delta, itemId } = read(DeltaParams, params);
    return [{ type, delta, item_id: itemId }];
  });

/** Output shows that its command is running. */
const output: ReduceParams = (state, params) => {
  const { delta, itemId: call_id } = read(DeltaParams, params);
  const announced = announceItem(state, call_id);
  const chunk = Buffer.from(delta);
  const msg = { type: 'exec_command_output_delta' as const, call_id, stream: 'stdout' as const, chunk };
  return { ...announced, output: [...announced.output, msg] };
};

/** Reducers of deltas, by method. */
export const DELTAS: Record<string, ReduceParams> = {
  'item/agentMessage/delta': textDelta('agent_message_delta'),
  'item/reasoning/summaryTextDelta': textDelta('agent_reasoning_delta'),
  'item/reasoning/textDelta': textDelta('agent_reasoning_raw_content_delta'),
  'item/reasoning/summaryPartAdded': emitting((params) => [
    { type: 'agent_reasoning_section_break', item_id: read(DeltaParams, params).itemId },
  ]),
  'item/commandExecution/outputDelta': output,
};
