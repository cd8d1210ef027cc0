/** Real Codex servers with the recorder before them: neither side notices it, and the tape holds all messages. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codexCall, greet } from '../../support/daemon/legacy';
import { attach, commandLine, type Json, type Peer } from '../../support/daemon/peer';
import { type Home, openHomeForCodex, removeHomes } from '../../support/home';
import { closeModels, message, startModel } from '../../support/servers/modelServer';
import { INSTALL_MS, installed, type PeerName } from '../installed';
import { masked } from '../masked';

const SERVERS: [PeerName, string][] = [
  ['codex-0.28.0', 'mcp'],
  ['codex-0.142.0', 'mcp-server'],
];

beforeAll(() => {
  for (const [name] of SERVERS) installed(name);
}, SERVERS.length * INSTALL_MS);
afterEach(closeModels);
afterEach(removeHomes);

type Run = { bytes: Buffer; sent: string; messages: Json[]; code: number | null };

/** Plays a client with a server; `bytes` is all of its stdout. */
const run = async (
  [program, ...args]: string[],
  home: Home,
  client: (peer: Peer) => Promise<unknown>,
): Promise<Run> => {
  const child = spawn(program as string, args, { cwd: home.work, env: home.env, stdio: 'pipe' });
  const chunks: Buffer[] = [];
  let sent = '';
  child.stdout.on('data', (chunk: Buffer | string) => chunks.push(Buffer.from(chunk)));
  const peer = attach(child, home);
  const write = child.stdin.write.bind(child.stdin) as (text: string) => boolean;
  child.stdin.write = ((text: string) => {
    sent += text;
    return write(text);
  }) as typeof child.stdin.write;
  try {
    await client(peer);
    await peer.end();
  } finally {
    child.kill('SIGKILL');
  }
  const { code } = await peer.ended;
  return { bytes: Buffer.concat(chunks), sent, messages: masked(peer.messages, home), code };
};

const toldOn = (tape: string, dir: 'in' | 'out'): string =>
  readFileSync(tape, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .flatMap((one) => (one.dir === dir ? [one.line + (one.end ?? '\n')] : []))
    .join('');

/** What has the same answers, to the byte, in every run; lines that are not messages and CRLF among it. */
const plain = async (peer: Peer) => {
  await greet(peer);
  await peer.request('tools/list');
  peer.sendText('this is not JSON\n');
  peer.sendText('{"jsonrpc":"2.0","id":"crlf","method":"ping"}\r\n');
  await peer.next(({ id }) => id === 'crlf', 'the answer to a line with CRLF');
  await peer.request('tools/call', { name: 'none', arguments: {} });
};

describe.each(SERVERS)('the recorder before the real %s', (name, command) => {
  const server = () => [join(installed(name), 'codex'), command];
  const recorded = (tape: string) => {
    const [program, args] = commandLine('record', '-q', '-o', tape, '--', ...server());
    return [program, ...args];
  };

  it('changes no byte of either side, nor how it ends', async () => {
    const [alone, taped] = [openHomeForCodex(), openHomeForCodex()];
    const tape = join(taped.path, 'tape.jsonl');
    const without = await run(server(), alone, plain);
    const withIt = await run(recorded(tape), taped, plain);
    expect(withIt.bytes.toString()).toBe(without.bytes.toString());
    expect(withIt.bytes.equals(without.bytes)).toBe(true);
    expect(withIt.code).toBe(without.code);
    expect(toldOn(tape, 'out')).toBe(withIt.bytes.toString());
    expect(toldOn(tape, 'in')).toBe(withIt.sent);
  });

  it('changes nothing of a turn, which the tape then holds the server to', async () => {
    const { toml } = await startModel(({ say }) => say(message('Hello there.')));
    const turn = async (peer: Peer) => {
      await greet(peer);
      await peer.request('tools/call', codexCall(peer, 'hi', { 'approval-policy': 'never' }), 1);
    };
    const homes = [openHomeForCodex(), openHomeForCodex()] as const;
    for (const home of homes) home.write('.codex/config.toml', toml);
    const tape = join(homes[1].path, 'tape.jsonl');
    const without = await run(server(), homes[0], turn);
    const withIt = await run(recorded(tape), homes[1], turn);
    expect(withIt.messages).toEqual(without.messages);
    expect(toldOn(tape, 'out')).toBe(withIt.bytes.toString());
    const [program, args] = commandLine('replay', tape, '--', ...server());
    const { bytes, code } = await run([program, ...args], homes[1], ({ ended }) => ended);
    expect([bytes.toString(), code]).toEqual([expect.stringMatching(/^SAME: /), 0]);
  });
});
