/** Model servers with faults, as a client of the real program sees them: each call is answered in bounded time, with what was tried. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http, { type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { codexCall, greet, textOf } from '../../support/daemon/legacy';
import { endServers, type Json, startServer } from '../../support/daemon/peer';
import { openHome } from '../../support/home';
import { created, message } from '../../support/servers/modelServer';

const fixture = (name: string) => join(__dirname, '../../fixtures/tls', name);
const CERTIFICATE = fixture('model.test.pem');
const tls = { cert: readFileSync(CERTIFICATE), key: readFileSync(fixture('model.test.key')) };

const servers: Server[] = [];
const sockets = new Set<net.Socket>();

afterEach(async () => {
  await endServers();
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  for (const server of servers.splice(0)) server.close();
});

const listen = async (server: Server): Promise<number> => {
  servers.push(server);
  server.on('connection', (socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

type Asked = { requests: IncomingMessage[]; port: number };

/** A model server that answers each request as `answer` does. */
const serve = async (answer: RequestListener): Promise<Asked> => {
  const requests: IncomingMessage[] = [];
  const port = await listen(
    http.createServer((request, response) => {
      requests.push(request);
      answer(request, response);
    }),
  );
  return { requests, port };
};

const begin = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/event-stream' });

const event = (body: Json): string => `event: ${body.type}\ndata: ${JSON.stringify(body)}\n\n`;

const speak: RequestListener = (_, response) => {
  begin(response).write(created);
  response.write(event({ type: 'response.output_item.done', output_index: 0, item: message('Here I am.') }));
  response.end(event({ type: 'response.completed', response: { id: 'resp_1', usage: null } }));
};

type Provider = { url: string; keys?: string; env?: Record<string, string> };

/** What a call is answered with by a model at an address. */
const answerOf = async ({ url, keys = '', env }: Provider): Promise<{ text: string; isError: boolean }> => {
  const home = openHome();
  home.write(
    '.codex/config.toml',
    `model = "m"\nmodel_provider = "p"\n[model_providers.p]\nname = "p"\nbase_url = "${url}"\nwire_api = "responses"\n${keys}\n`,
  );
  const peer = startServer({ home, env, args: ['--engine', 'native'] });
  await greet(peer);
  const answer = await peer.request('tools/call', codexCall(peer, 'hello'));
  return { text: textOf(answer), isError: answer.result.isError === true };
};

const at = (port: number): string => `http://127.0.0.1:${port}/v1`;

const ONCE = 'request_max_retries = 0\nstream_max_retries = 0';

describe('a model server', () => {
  it('that accepts and never answers has a limit, and the text has the number of requests', async () => {
    const { port, requests } = await serve(() => {});
    const keys = 'request_max_retries = 0\nstream_max_retries = 1\nstream_idle_timeout_ms = 200';
    const { text, isError } = await answerOf({ url: at(port), keys });
    expect([isError, requests.length]).toEqual([true, 2]);
    expect(text).toMatch(/within 0.2 s, which stream_idle_timeout_ms of the model provider sets; tried 2 times/);
  });

  it('that drips has a limit too', async () => {
    const { port } = await serve((_, response) => {
      begin(response).write(created);
      const drip = setInterval(() => response.write(': drip\n\n'), 50);
      response.once('close', () => clearInterval(drip));
    });
    const { text, isError } = await answerOf({ url: at(port), keys: `${ONCE}\nanswer_timeout_ms = 500` });
    expect(isError).toBe(true);
    expect(text).toContain('no complete answer of the model within 0.5 s, which answer_timeout_ms');
  });

  it('that rejects the key is asked once', async () => {
    const { port, requests } = await serve((_, response) =>
      response.writeHead(401).end('{"error":{"message":"bad key"}}'),
    );
    const { text, isError } = await answerOf({
      url: at(port),
      keys: 'env_key = "MY_KEY"',
      env: { MY_KEY: 'sk-secret' },
    });
    expect([isError, requests.length, requests[0]?.headers.authorization]).toEqual([true, 1, 'Bearer sk-secret']);
    expect(text).toMatch(/401.*MY_KEY/s);
    expect(text).not.toContain('sk-secret');
  });

  it('that sends a line without end is stopped', async () => {
    const { port } = await serve((_, response) => {
      begin(response).write('data: ');
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(1_000_000)));
      };
      response.on('drain', more).on('error', () => {});
      more();
    });
    const { text, isError } = await answerOf({ url: at(port), keys: ONCE });
    expect(isError).toBe(true);
    expect(text).toMatch(/more than 8388608 characters/);
  });

  it('that leads elsewhere is not followed with the key, and the text names both', async () => {
    const other = await serve(speak);
    const { port } = await serve((_, response) =>
      response.writeHead(307, { location: `${at(other.port)}/responses` }).end(),
    );
    const { text, isError } = await answerOf({
      url: at(port),
      keys: `env_key = "MY_KEY"\n${ONCE}`,
      env: { MY_KEY: 'sk-secret' },
    });
    expect({ isError, elsewhere: other.requests.length }).toEqual({ isError: true, elsewhere: 0 });
    expect(text).toContain('307');
  });

  it('behind TLS is reached through the proxy with a certificate of its own, and straight if NO_PROXY names it', async () => {
    const model = await listen(https.createServer(tls, speak));
    const connects: string[] = [];
    const proxy = http.createServer().on('connect', (request, socket: net.Socket) => {
      connects.push(request.url ?? '');
      const back = net.connect(model, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        back.pipe(socket).pipe(back);
      });
      sockets.add(back);
      back.on('error', () => socket.destroy());
      socket.on('error', () => back.destroy());
    });
    const env = { HTTPS_PROXY: `http://127.0.0.1:${await listen(proxy)}`, SSL_CERT_FILE: CERTIFICATE };
    const url = `https://model.test:${model}/v1`;
    expect(await answerOf({ url, env, keys: ONCE })).toEqual({ text: 'Here I am.', isError: false });
    expect(connects).toEqual([`model.test:${model}`]);
    const straight = await answerOf({ url, env: { ...env, NO_PROXY: 'model.test' }, keys: ONCE });
    expect([straight.isError, connects.length]).toEqual([true, 1]); // nobody knows the name without the proxy
    const untrusted = await answerOf({ url, env: { HTTPS_PROXY: env.HTTPS_PROXY }, keys: ONCE });
    expect(untrusted.text).toMatch(/certificate/);
  });
});
