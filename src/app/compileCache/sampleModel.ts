/** A model server on this machine for the sample session: it asks for a command first, and answers after that. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type SampleItem, sampleMessage, toResponsesStream } from '../responsesStream';

/** `close` also ends the connections that are kept for the next request. */
export type SampleModel = { url: string; close: () => void };

const CALL: SampleItem = {
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_1',
  name: 'shell',
  arguments: JSON.stringify({ command: ['true'] }),
};

/** Starts it at a free port. */
export const openSampleModel = async (): Promise<SampleModel> => {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const isLast = Buffer.concat(parts).includes('function_call_output');
      const stream = isLast ? toResponsesStream(sampleMessage('done'), ['done']) : toResponsesStream(CALL);
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(stream);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, close: () => closeServer(server) };
};

const closeServer = (server: Server): void => {
  server.close();
  server.closeAllConnections();
};
