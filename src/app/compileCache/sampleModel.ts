/** A model server on this machine for the sample session: it asks for a command first, and answers after that. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** `close` also ends the connections that are kept for the next request. */
export type SampleModel = { url: string; close: () => void };

type Sent = { type: string } & Record<string, unknown>;

const CALL: Sent = {
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_1',
  name: 'shell',
  arguments: JSON.stringify({ command: ['true'] }),
};

const MESSAGE: Sent = {
  type: 'message',
  role: 'assistant',
  id: 'msg_1',
  content: [{ type: 'output_text', text: 'done' }],
};

const DELTA: Sent = {
  type: 'response.output_text.delta',
  item_id: 'msg_1',
  output_index: 0,
  content_index: 0,
  delta: 'done',
};

const USAGE = {
  input_tokens: 1,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 1,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 2,
};

/** The events of a response of the Responses API with one item. */
const toEvents = (item: Sent): Sent[] => [
  { type: 'response.created', response: { id: 'resp_1' } },
  ...(item === MESSAGE ? [DELTA] : []),
  { type: 'response.output_item.done', output_index: 0, item },
  { type: 'response.completed', response: { id: 'resp_1', usage: USAGE } },
];

const toText = (event: Sent): string => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

/** Starts it at a free port. */
export const openSampleModel = async (): Promise<SampleModel> => {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const item = Buffer.concat(parts).includes('function_call_output') ? MESSAGE : CALL;
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(toEvents(item).map(toText).join(''));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, close: () => closeServer(server) };
};

const closeServer = (server: Server): void => {
  server.close();
  server.closeAllConnections();
};
