/** An answer of a scenario as server-sent events of the Chat Completions API. */
import type { Json } from '../../support/daemon/peer';
import { type Dialect, deltasOf, type Item, type Piece } from './modelAnswer';

/** What is new in a chunk; the last one has the reason of the end. */
type Delta = { delta: Json; finish?: string };

const callDeltas = (item: Item, id: string): Json[] => {
  const text = typeof item.args === 'string' ? item.args : JSON.stringify(item.args ?? {});
  const [first = '', ...rest] = deltasOf(text, item.deltas ?? 2);
  const call = { index: 0, id, type: 'function', function: { name: item.call, arguments: first } };
  return [
    { tool_calls: [call] },
    ...rest.map((piece) => ({ tool_calls: [{ index: 0, function: { arguments: piece } }] })),
  ];
};

const deltasOfItem = (item: Item, id: string): Json[] => {
  if (item.text !== undefined) return deltasOf(item.text, item.deltas).map((content) => ({ content }));
  if (item.call !== undefined) return callDeltas(item, id);
  const texts = [...item.reasoning, ...(item.raw ?? [])] as string[];
  return texts.flatMap((text) => deltasOf(text, item.deltas)).map((reasoning) => ({ reasoning }));
};

export const chatEvents: Dialect = ({ items = [], end, delta_delay: pauseMs = 0 }, label) => {
  const chunk = ({ delta, finish }: Delta): string => {
    const choices = [{ index: 0, delta, finish_reason: finish ?? null }];
    return `data: ${JSON.stringify({ id: `chatcmpl_${label}`, object: 'chat.completion.chunk', choices })}\n\n`;
  };
  const body = items.flatMap((item, n): Piece[] => {
    if (item.sse !== undefined) return [item.sse];
    if (item.delay !== undefined) return [item.delay];
    const pauses = item.call === undefined ? [pauseMs] : [];
    return deltasOfItem(item, item.call_id ?? `call_${label}_${n}`).flatMap((delta) => [chunk({ delta }), ...pauses]);
  });
  const finish = items.some(({ call }) => call !== undefined) ? 'tool_calls' : 'stop';
  const last = end === undefined ? [chunk({ delta: {}, finish }), 'data: [DONE]\n\n'] : [];
  return [chunk({ delta: { role: 'assistant' } }), ...body, ...last];
};
