import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { codexCall, greet, textOf } from '../support/daemon/legacy';
import { endServers, type Launch, startServer } from '../support/daemon/peer';
import { openHome } from '../support/home';
import { closeModels, startModel } from '../support/servers/modelServer';

afterEach(endServers);
afterEach(closeModels);

const SECRETS = {
  OPENAI_API_KEY: 'sk-proj-0123456789abcdefghijklmnop',
  MY_SECRET: 'correct horse battery staple',
  DB_PASSWORD: 'hunter2hunter2',
  GITHUB_TOKEN: 'ghp_0123456789abcdefghijklmnopqrstuvwxyz',
};
const secrets = Object.values(SECRETS);
const leaks = (text: string) => secrets.filter((secret) => text.includes(secret));

/** Everything that is logged somewhere: lines that are refused, answers of a model that fail. */
const provoked = async (launch: Launch) => {
  const model = await startModel(({ response }) => {
    response.end(
      `event: response.failed\ndata: ${JSON.stringify({ type: 'response.failed', response: { error: { code: 'x', message: `bad key ${SECRETS.OPENAI_API_KEY}` } } })}\n\n`,
    );
  });
  const home = openHome();
  home.write('.codex/config.toml', `${model.toml}env_key = "OPENAI_API_KEY"\n`);
  const peer = startServer({ ...launch, home, env: SECRETS });
  await greet(peer);
  await peer.request('logging/setLevel', { level: 'debug' });
  for (const secret of secrets) {
    peer.sendText(`${secret}\n{"jsonrpc":"2.0","id":1,"method":"${secret}","params":[]}\n{"${secret}\n`);
  }
  await peer.request('tools/call', codexCall(peer, secrets.join(' ')));
  await peer.request('ping');
  return peer;
};

describe('secrets of the environment', () => {
  it('never reach stderr, at any level', async () => {
    const peer = await provoked({ args: ['--log-level', 'debug'] });
    await peer.end();
    expect(peer.stderr()).toContain('a line was rejected');
    expect(leaks(peer.stderr())).toEqual([]);
  });

  it('never reach the log file, which only its owner may read', async () => {
    const home = openHome();
    const file = join(home.path, 'logs', 'server.log');
    const peer = await provoked({ args: ['--log-level', 'debug', '--log-file', file] });
    await peer.end();
    expect(peer.stderr()).toBe('');
    const text = readFileSync(file, 'utf8');
    for (const line of text.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('level');
    expect(leaks(text)).toEqual([]);
    expect(statSync(file).mode & 0o077).toBe(0);
  });

  it('never reach the log that a client asked for', async () => {
    const peer = await provoked({});
    const emitted = peer.messages.filter(({ method }) => method === 'notifications/message');
    expect(emitted.length).toBeGreaterThan(0);
    expect(leaks(JSON.stringify(emitted))).toEqual([]);
  });

  it('are not handed to commands', async () => {
    const answers = [{ items: [{ call: 'shell', args: { command: ['env'] } }] }, { items: [{ text: '{{output}}' }] }];
    const peer = startServer({ script: { scenes: [{ when: '', answers }] }, env: { ...SECRETS, COLOUR: 'blue' } });
    await greet(peer);
    const text = textOf(await peer.request('tools/call', codexCall(peer, 'go', { 'approval-policy': 'never' })));
    expect(text).toContain('COLOUR=blue');
    expect(text).not.toMatch(/OPENAI_API_KEY|MY_SECRET|GITHUB_TOKEN/);
  });
});

describe('the key of the operator', () => {
  it('never reaches a server of models that a client of ACP brings', async () => {
    const seen: unknown[] = [];
    const model = await startModel(({ response }) => {
      const { authorization, 'x-own': own } = response.req.headers;
      seen.push({ authorization, own });
      response.end(
        'event: response.failed\ndata: {"type":"response.failed","response":{"error":{"message":"no"}}}\n\n',
      );
    });
    const [, baseUrl] = /base_url = "(.*)"/.exec(model.toml) ?? [];
    const home = openHome();
    const peer = startServer({
      command: 'acp',
      home,
      args: ['--engine', 'native'],
      env: { OPENAI_API_KEY: 'sk-operator' },
    });
    await peer.request('initialize', { protocolVersion: 1 });
    const set = { providerId: 'openai', apiType: 'openai', baseUrl, headers: { 'x-own': 'mine' } };
    expect(await peer.request('providers/set', set)).toMatchObject({ result: {} });
    const { sessionId } = (await peer.request('session/new', { cwd: home.work, mcpServers: [] })).result;
    await peer.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'go' }] });
    await peer.end();
    expect(seen).toContainEqual({ own: 'mine' });
    expect(seen.filter((headers) => JSON.stringify(headers) !== '{"own":"mine"}')).toEqual([]);
  });
});

describe('values of headers that the user configured', () => {
  /** Neither their names nor their form say that they are secret. */
  const HEADERS = { 'x-gateway': 'plain-words-of-a-gateway', 'x-tenant': 'other-words-of-a-tenant' };
  const shown = (text: string) => Object.values(HEADERS).filter((value) => text.includes(value));

  it('never reach an error, a log or a tape', async () => {
    const seen: unknown[] = [];
    const model = await startModel(({ response }) => {
      const { headers } = response.req;
      seen.push(headers['x-gateway'], headers['x-tenant']);
      const error = { code: 'x', message: `no ${JSON.stringify(headers)}` };
      response.end(
        `event: response.failed\ndata: ${JSON.stringify({ type: 'response.failed', response: { error } })}\n\n`,
      );
    });
    const home = openHome();
    const settings = `http_headers = { x-gateway = "${HEADERS['x-gateway']}" }\nenv_http_headers = { x-tenant = "TENANT" }\n`;
    home.write('.codex/config.toml', model.toml + settings);
    const tape = join(home.path, 'tape.jsonl');
    const args = ['--log-level', 'debug', '--record', tape];
    const peer = startServer({ args, home, env: { TENANT: HEADERS['x-tenant'] } });
    await greet(peer);
    await peer.request('logging/setLevel', { level: 'debug' });
    const answer = await peer.request('tools/call', codexCall(peer, 'go'));
    await peer.end();
    expect(seen).toEqual(Object.values(HEADERS));
    expect(textOf(answer)).toContain('***');
    const texts = { messages: JSON.stringify(peer.messages), log: peer.stderr(), tape: readFileSync(tape, 'utf8') };
    expect(Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, shown(text)]))).toEqual({
      messages: [],
      log: [],
      tape: [],
    });
  });
});
