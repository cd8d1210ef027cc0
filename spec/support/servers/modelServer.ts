/** Owns a model provider on this machine: the Responses API over HTTP, answering as a spec wants it to. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from '../daemon/peer';

/** `say` begins and ends an answer; `response` is for what goes beyond. `n` counts requests from 0. */
export type Exchange = { body: Json; n: number; response: ServerResponse; say: (...items: Json[]) => void };
export type ModelServer = {
  /** Lines of config.toml that make it the model provider. */
  toml: string;
  requests: Json[];
  /** How many answers are under way. */
  open: () => number;
  close: () => void;
};

const event = (body: Json): string => `event: ${body.type}\ndata: ${JSON.stringify(body)}\n\n`;

export const created = event({ type: 'response.created', response: { id: 'resp_1' } });
export const deltaOf = (delta: string, more: Json = {}): string =>
  event({ type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, content_index: 0, delta, ...more });

const usage = {
  input_tokens: 20,
  input_tokens_details: { cached_tokens: 4 },
  output_tokens: 8,
  output_tokens_details: { reasoning_tokens: 2 },
  total_tokens: 28,
};

/** A message of the assistant. */
export const message = (text: string): Json => ({
  type: 'message',
  role: 'assistant',
  id: 'msg_1',
  content: [{ type: 'output_text', text }],
});

/** A call of the shell tool. */
export const shellCall = (callId: string, command: string[], more: Json = {}): Json => ({
  type: 'function_call',
  id: `fc_${callId}`,
  call_id: callId,
  name: 'shell',
  arguments: JSON.stringify({ command, ...more }),
});

/** The events of one item: a message is sent in two deltas first. */
const toEvents = (item: Json): string[] => {
  const done = event({ type: 'response.output_item.done', output_index: 0, item });
  if (item.type !== 'message') return [done];
  const { text } = item.content[0];
  const added = event({ type: 'response.output_item.added', output_index: 0, item: { ...item, content: [] } });
  return [added, deltaOf(text.slice(0, text.length / 2)), deltaOf(text.slice(text.length / 2)), done];
};

const serving: ModelServer[] = [];

/** Starts a provider; `answer` is asked for each request. */
export const startModel = async (answer: (exchange: Exchange) => void): Promise<ModelServer> => {
  const requests: Json[] = [];
  let open = 0;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      if (request.method !== 'POST' || !request.url?.endsWith('/responses')) return response.writeHead(404).end('{}');
      const body = JSON.parse(Buffer.concat(parts).toString());
      open += 1;
      response.once('close', () => {
        open -= 1;
      });
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(created);
      const completed = event({ type: 'response.completed', response: { id: 'resp_1', usage } });
      const say = (...items: Json[]) => void response.end(items.flatMap(toEvents).join('') + completed);
      answer({ body, n: requests.push(body) - 1, response, say });
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  const model: ModelServer = {
    toml: [
      'model = "gpt-5"',
      'model_provider = "mock"',
      '[model_providers.mock]',
      'name = "mock"',
      `base_url = "http://127.0.0.1:${port}/v1"`,
      'wire_api = "responses"',
      'request_max_retries = 0',
      'stream_max_retries = 0',
      '',
    ].join('\n'),
    requests,
    open: () => open,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  serving.push(model);
  return model;
};

/** After each spec. */
export const closeModels = (): void => {
  for (const model of serving.splice(0)) model.close();
};
