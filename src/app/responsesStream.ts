/** The event stream of a response of the Responses API, as sent by models that stand in for a real one. Own code: `eventsource-parser` only reads. */

/** An item of the output of a model. */
export type SampleItem = { type: string } & Record<string, unknown>;

/** A message of an agent. */
export const sampleMessage = (text: string): SampleItem => ({
  type: 'message',
  role: 'assistant',
  id: 'msg_1',
  content: [{ type: 'output_text', text }],
});

const USAGE = {
  input_tokens: 1,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 1,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 2,
};

const PLACE = { item_id: 'msg_1', output_index: 0, content_index: 0 };

/** The text of a stream with one item; `deltas` are the pieces in which its text comes before. */
export const toResponsesStream = (item: SampleItem, deltas: readonly string[] = []): string =>
  [
    { type: 'response.created', response: { id: 'resp_1' } },
    ...(deltas.length > 0
      ? [{ type: 'response.output_item.added', output_index: 0, item: { ...item, content: [] } }]
      : []),
    ...deltas.map((delta) => ({ type: 'response.output_text.delta', ...PLACE, delta })),
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { id: 'resp_1', usage: USAGE } },
  ]
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');
