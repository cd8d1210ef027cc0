/**
 * The configurations of docs/local-models.md, each with a stream in the dialect of its server: thoughts, text, a call in its own form, usage.
 * Source: the source of Ollama of 21 August 2026, the documentation of LM Studio 0.3 and of vLLM 0.10, the stream of LM Studio 0.3.16 as users
 * reported it; not recorded from running servers; recorded answers of llama.cpp, Ollama and vLLM are in the specs named after them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { from, lastValueFrom, of, toArray } from 'rxjs';
import { models } from '../../../src/agent/model/models';
import type { ModelEvent } from '../../../src/protocol/model/events';
import { loaded } from '../../settings/deps';
import { answer, httpDeps, question, serverOf, sseOf } from '../../support/models';

const page = readFileSync(join(__dirname, '../../../docs/local-models.md'), 'utf8');
const configs = [...page.matchAll(/```toml\n([\s\S]*?)```/g)].map(([, toml = '']) => loaded({ toml }));
const providerNamed = (id: string) => {
  const found = configs.find(({ provider }) => provider.id === id);
  if (found === undefined) throw new Error(`docs/local-models.md has no provider ${id}`);
  return found.provider;
};

const ARGS = '{"command":["ls"]}';
const chunk = (delta: object, finish_reason: string | null = null, own: object = {}) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason, ...own }],
});
const usage = { prompt_tokens: 30, completion_tokens: 7, total_tokens: 37 };
const usageChunk = (own: object = {}) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  choices: [],
  usage,
  ...own,
});
const toolCall = (own: object) => ({ tool_calls: [own] });

/** The role once, `reasoning` in a chunk of its own, whole calls by index, an empty delta with the finish reason. */
const ollama = sseOf(
  chunk({ role: 'assistant', reasoning: 'think' }),
  chunk({ content: 'Looking.' }),
  chunk({
    content: '',
    ...toolCall({ id: 'call_1', index: 0, type: 'function', function: { name: 'shell', arguments: ARGS } }),
  }),
  chunk({}, 'tool_calls'),
  usageChunk({ system_fingerprint: 'fp_ollama' }),
  '[DONE]',
);

/** Calls in pieces with a number for an id, the later of which have an empty name in 0.3.16, and none since; `reasoning_content`. */
const lmstudio = sseOf(
  chunk({ role: 'assistant', reasoning_content: 'think' }),
  chunk({ role: 'assistant', content: 'Looking.' }),
  chunk(toolCall({ index: 0, id: '365174485', type: 'function', function: { name: 'shell', arguments: '' } })),
  chunk(toolCall({ index: 0, type: 'function', function: { name: '', arguments: '{"command":' } })),
  chunk(toolCall({ index: 0, type: 'function', function: { arguments: '["ls"]}' } })),
  chunk({}, 'tool_calls', { logprobs: null }),
  usageChunk(),
  '[DONE]',
);

/** A first chunk with null for the content, timings beside the usage. */
const llamacpp = sseOf(
  chunk({ role: 'assistant', content: null }),
  chunk({ reasoning_content: 'think' }),
  chunk({ content: 'Looking.' }),
  chunk(toolCall({ index: 0, id: 'WbWyTQWa', type: 'function', function: { name: 'shell', arguments: '{' } })),
  chunk(toolCall({ index: 0, function: { arguments: '"command":["ls"]}' } })),
  chunk({}, 'tool_calls'),
  usageChunk({ timings: { predicted_per_second: 42.5 } }),
  '[DONE]',
);

/** A usage of null in each chunk, ids that name the server, a stop reason beside the finish reason. */
const vllm = sseOf(
  { ...chunk({ role: 'assistant', content: '' }, null, { logprobs: null }), usage: null },
  chunk({ reasoning_content: 'think' }),
  chunk({ content: 'Looking.' }),
  chunk(toolCall({ id: 'chatcmpl-tool-1', type: 'function', index: 0, function: { name: 'shell' } })),
  chunk(toolCall({ index: 0, function: { arguments: '{"command": ["ls"]}'.replace(': ', ':') } })),
  chunk({ content: '' }, 'tool_calls', { stop_reason: null }),
  usageChunk(),
  '[DONE]',
);

const ask = (id: string, text: string): Promise<ModelEvent[]> => {
  // cut where a network might
  const body$ = from(text.match(/[\s\S]{1,97}/g) ?? []);
  const { post, sent } = serverOf([of(answer(body$))]);
  const model = models({ ...httpDeps(post), readFile: () => '', version: '1' })(providerNamed(id));
  return lastValueFrom(model(question()).pipe(toArray())).then((events) => {
    expect(sent.map(({ headers }) => headers)).toEqual([
      { 'content-type': 'application/json', accept: 'text/event-stream' },
    ]);
    return events;
  });
};

describe('a local server', () => {
  it.each([
    ['ollama', 'http://localhost:11434/v1', ollama, 'call_1'],
    ['lmstudio', 'http://localhost:1234/v1', lmstudio, '365174485'],
    ['llamacpp', 'http://localhost:8080/v1', llamacpp, 'WbWyTQWa'],
    ['vllm', 'http://localhost:8000/v1', vllm, 'chatcmpl-tool-1'],
  ])('%s needs no key, and its thoughts, text, call and usage are read', async (id, baseUrl, stream, call_id) => {
    expect(providerNamed(id)).toMatchObject({ baseUrl, wireApi: 'chat', requiresOpenaiAuth: false });
    expect(await ask(id, stream)).toEqual([
      { kind: 'rawReasoning', itemId: '', delta: 'think' },
      { kind: 'text', itemId: '', delta: 'Looking.' },
      {
        kind: 'item',
        item: expect.objectContaining({ type: 'reasoning', extra_content: expect.any(Object) }),
      },
      {
        kind: 'item',
        item: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Looking.' }] },
      },
      { kind: 'item', item: { type: 'function_call', name: 'shell', arguments: ARGS, call_id } },
      {
        kind: 'completed',
        responseId: 'chatcmpl-1',
        usage: expect.objectContaining({ input_tokens: 30, output_tokens: 7, total_tokens: 37 }),
      },
    ]);
  });

  it('has a configuration without faults or unknown keys', () => {
    expect(configs.map(({ warnings, contextWindow }) => [warnings, contextWindow])).toEqual(
      configs.map(() => [[], 65_536]),
    );
    expect(configs).toHaveLength(4);
  });

  it.each([
    [
      'of Ollama, which loses its text',
      'data: {"id":"chatcmpl-1","choices":[{"index":0,"delta":{"content":""},"finish_reason":null}]}\n\n',
      'stream closed before finish_reason',
    ],
    ['of LM Studio', 'event: error\ndata: {"error":{"message":"Model unloaded."}}\n\n', 'Model unloaded.'],
    [
      'of llama.cpp',
      'data: {"error":{"code":500,"message":"context shift is disabled","type":"server_error"}}\n\n',
      'context shift',
    ],
    [
      'of vLLM',
      'data: {"error":{"object":"error","message":"engine is dead","type":"Internal","code":500}}\n\n',
      'engine is dead',
    ],
  ])('reports an error %s in the stream', async (_, stream, text) => {
    await expect(ask('ollama', stream)).rejects.toThrow(text);
  });
});
