/** A model provider that plays the answers of a scenario, in the Responses and the Chat dialect. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../../support/daemon/peer';
import { chatEvents } from './chatEvents';
import type { Dialect, ModelAnswer, Piece } from './modelAnswer';
import { responsesEvents } from './responsesEvents';

/** `lanes` are queues of their own for the requests whose body fits `when`. */
export type ModelScript = {
  responses?: ModelAnswer[];
  lanes?: { name: string; when: string; responses: ModelAnswer[] }[];
};

export type ScriptedModel = { port: number; requests: Json[]; close: () => Promise<void> };

const EXHAUSTED: ModelAnswer = { status: 500, body: { error: { message: 'mock script exhausted' } } };

/** The next answer for a body, with a label that is unique in the run: the number of the answer, after the name of its lane. */
const readerOf = ({ responses = [], lanes = [] }: ModelScript) => {
  const queues = [
    ...lanes.map(({ name, when, responses }) => ({ name, fits: new RegExp(when, 's'), responses, taken: 0 })),
  ];
  const main = { name: '', fits: /^/, responses, taken: 0 };
  return (body: string): { answer: ModelAnswer; label: string } => {
    const queue = queues.find(({ fits }) => fits.test(body)) ?? main;
    const answer = queue.responses[queue.taken] ?? EXHAUSTED;
    queue.taken += 1;
    return { answer, label: `${queue.name.replace(/\W/g, '')}${queue.taken}` };
  };
};

const play = async (pieces: Piece[], response: ServerResponse): Promise<void> => {
  for (const piece of pieces) {
    if (response.destroyed) return;
    if (typeof piece === 'number') await sleep(piece);
    else response.write(piece);
  }
};

const respond = async (answer: ModelAnswer, pieces: Piece[], response: ServerResponse): Promise<void> => {
  await sleep(answer.delay ?? 0);
  if (answer.status !== undefined) {
    const isText = typeof answer.body === 'string';
    response.writeHead(answer.status, { 'content-type': isText ? 'text/plain' : 'application/json' });
    return void response.end(isText ? answer.body : JSON.stringify(answer.body ?? {}));
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  await play(pieces, response);
  if (answer.end === 'destroy') return void response.destroy();
  if (answer.end !== 'hang') response.end();
};

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
};

const asJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const dialectOf = (path: string): Dialect | undefined =>
  path.endsWith('/chat/completions') ? chatEvents : path.endsWith('/responses') ? responsesEvents : undefined;

/** Starts the provider on this machine; `requests` grows while it runs. */
export const startScriptedModel = async (script: ModelScript): Promise<ScriptedModel> => {
  const next = readerOf(script);
  const requests: Json[] = [];
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    const { method, url = '', headers } = request;
    requests.push({ n: requests.length + 1, method, url, headers, body: asJson(body) });
    const dialect = method === 'POST' ? dialectOf(url.split('?')[0] as string) : undefined;
    if (dialect === undefined) {
      response.writeHead(404, { 'content-type': 'application/json' });
      return void response.end(JSON.stringify({ error: { message: `mock has no route ${url}` } }));
    }
    const { answer, label } = next(body);
    await respond(answer, dialect(answer, label), response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const close = () =>
    new Promise<void>((closed) => {
      server.close(() => closed());
      server.closeAllConnections();
    });
  return { port: (server.address() as AddressInfo).port, requests, close };
};
