/** Language servers and debug adapters, whose messages have headers: recorded, replayed, verified, redacted, drawn. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { answer, notification, request } from '../../../src/testing/messages';
import { session } from '../../../src/testing/session';
import { stdio } from '../../../src/testing/stdio';
import { commandLine } from '../../support/daemon/peer';
import { type Home, openHome, removeHomes } from '../../support/home';

afterEach(removeHomes);

const SERVER = [process.execPath, join(__dirname, '../../support/servers/framedServer.mjs')];

type Run = { bytes: string; messages: unknown[]; code: number | null };

/** A client that sends each message once the one before was answered; `pid` stands for this process. */
const talk = ({ work, env }: Home, [program = '', ...args]: string[], messages: readonly object[]): Promise<Run> =>
  new Promise((resolve) => {
    const child = spawn(program, args, { cwd: work, env, stdio: 'pipe' });
    const left = [...messages];
    const got: Run = { bytes: '', messages: [], code: null };
    const send = (): void => {
      const message = left.shift();
      if (message === undefined) return void child.stdin.end();
      const body = JSON.stringify(message);
      child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
      if (!('id' in message) && !('command' in message)) send();
    };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      got.bytes += text;
      for (const body of bodiesIn(got.bytes).slice(got.messages.length)) {
        got.messages.push(body);
        if ('id' in body || body.type === 'response') send();
      }
    });
    child.stdin.on('error', () => {}); // the server may have ended
    child.on('close', (code) => resolve({ ...got, code }));
    send();
  });

const bodiesIn = (text: string) =>
  text
    .split(/Content-Length: \d+\r\n\r\n/)
    .slice(1)
    .flatMap((body) => {
      try {
        return [JSON.parse(body)];
      } catch {
        return []; // not whole yet
      }
    });

const LANGUAGE = [
  { jsonrpc: '2.0', id: 1, method: 'initialize', params: { processId: process.pid } },
  { jsonrpc: '2.0', method: 'initialized', params: {} },
  { jsonrpc: '2.0', id: 2, method: 'echo', params: { text: 'größe', mail: 'ada@example.org' } },
  { jsonrpc: '2.0', id: 3, method: 'shutdown' },
  { jsonrpc: '2.0', method: 'exit' },
];
const DEBUGGER = [
  { seq: 1, type: 'request', command: 'initialize', arguments: { adapterID: 'x' } },
  { seq: 2, type: 'request', command: 'fail' },
  { seq: 3, type: 'request', command: 'disconnect' },
];
const LATER = DEBUGGER.map((message) => ({ ...message, seq: message.seq + 40 }));

const run = (home: Home, ...args: string[]): Promise<Run & { stdout: string }> =>
  new Promise((resolve) => {
    const [program, given] = commandLine(...args);
    const child = spawn(program, given, { cwd: home.work, env: home.env, stdio: ['ignore', 'pipe', 'ignore'] });
    let stdout = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk;
    });
    child.on('close', (code) => resolve({ stdout, code, bytes: '', messages: [] }));
  });

const through = (...args: string[]): string[] => {
  const [program, given] = commandLine(...args);
  return [program, ...given];
};

describe.each([
  ['a language server', LANGUAGE, 'echo'],
  ['a debug adapter', DEBUGGER, 'disconnect'],
])('%s', (_, messages, name) => {
  it('is recorded without a change, replayed, verified, redacted and drawn', async () => {
    const home = openHome();
    const tape = join(home.path, 'tape.jsonl');
    const alone = await talk(home, SERVER, messages);
    const recorded = await talk(home, through('record', '-q', '-o', tape, '--', ...SERVER), messages);
    expect(recorded).toEqual(alone);
    expect(alone.code).toBe(0);

    const played = await talk(home, through('replay', tape), messages);
    expect(played.messages).toEqual(alone.messages);
    expect(await run(home, 'replay', tape, '--', ...SERVER)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^SAME: /),
    });

    const shared = join(home.path, 'shared.jsonl');
    expect((await run(home, 'redact', tape, '-o', shared)).code).toBe(0);
    for (const line of readFileSync(shared, 'utf8').trimEnd().split('\n').slice(1)) {
      const { head, line: text, end = '\n' } = JSON.parse(line);
      if (head !== undefined) expect(head).toBe(`Content-Length: ${Buffer.byteLength(text + end)}\r\n\r\n`);
      expect(text).not.toContain('ada@');
    }
    expect((await run(home, 'diagram', tape)).stdout).toMatch(new RegExp(`[a-z] [A-Z] ${name}\\b`));
  });
});

describe('a played debug adapter', () => {
  it('answers the numbers of another client', async () => {
    const home = openHome();
    const tape = join(home.path, 'tape.jsonl');
    await talk(home, through('record', '-q', '-o', tape, '--', ...SERVER), DEBUGGER);
    const { messages } = await talk(home, through('replay', tape), LATER);
    expect(messages).toMatchObject([
      { request_seq: 41 },
      { event: 'initialized' },
      { request_seq: 42 },
      { request_seq: 43 },
    ]);
  });
});

describe('a marble spec of a language server', () => {
  it('sends messages with headers, and its own process id', async () => {
    const server = stdio(SERVER, { framing: 'contentLength' });
    const values = {
      i: request('initialize', { processId: 1, capabilities: {} }),
      L: notification('window/logMessage', { message: 'grüße' }),
      I: answer('i', { capabilities: { hoverProvider: true } }),
      s: request('shutdown'),
      S: answer('s', null),
      e: notification('exit'),
    };
    await session(server).plays({ client: 'i---s-e', server: '-LI--S-|', values });
  });
});
