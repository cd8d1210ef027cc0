/** A real language server: recorded, played to its client, verified. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { commandLine } from '../../support/daemon/peer';
import { type Home, openHomeForCodex, removeHomes } from '../../support/home';
import { startProgram } from '../../support/servers/httpPrograms';
import { INSTALL_MS, installed } from '../installed';

jest.setTimeout(90_000);
beforeAll(() => void installed('languageServer'), INSTALL_MS);
afterEach(removeHomes);

/** What an editor gets of a server: what hovers, the symbols, the exit code. */
const edit = (home: Home, [program = '', ...args]: string[]): Promise<unknown[]> =>
  new Promise((resolve) => {
    const child = spawn(program, args, { cwd: home.work, env: home.env, stdio: ['pipe', 'pipe', 'ignore'] });
    const root = pathToFileURL(home.work).href;
    const textDocument = { uri: `${root}/a.ts` };
    const text = 'const größe: number = 1;\n';
    const left: [string, object | undefined][] = [
      ['initialized', {}],
      ['textDocument/didOpen', { textDocument: { ...textDocument, languageId: 'typescript', version: 1, text } }],
      ['textDocument/hover', { textDocument, position: { line: 0, character: 8 } }],
      ['textDocument/documentSymbol', { textDocument }],
      ['shutdown', undefined],
      ['exit', undefined],
    ];
    const results: unknown[] = [];
    const send = (message: object) => {
      const body = JSON.stringify({ jsonrpc: '2.0', ...message });
      child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    };
    const next = () => {
      for (let one = left.shift(); one !== undefined; one = left.shift()) {
        const [method, params] = one;
        const asks = method.startsWith('textDocument/') ? !method.endsWith('didOpen') : method === 'shutdown';
        send({ ...(asks && { id: left.length }), method, params });
        if (asks) return;
      }
    };
    let rest = Buffer.alloc(0);
    child.stdout.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      while (true) {
        const [head, length] = /^Content-Length: (\d+)\r\n\r\n/.exec(rest.toString('latin1', 0, 100)) ?? [];
        if (head === undefined || rest.length < head.length + Number(length)) return;
        const { id, method, result } = JSON.parse(rest.subarray(head.length, head.length + Number(length)).toString());
        rest = rest.subarray(head.length + Number(length));
        if (id !== undefined && method !== undefined) send({ id, result: null });
        else if (id !== undefined) {
          if (id !== 'first') results.push(result);
          next();
        }
      }
    });
    child.on('close', (code) => resolve([...results, code]));
    send({ id: 'first', method: 'initialize', params: { processId: process.pid, rootUri: root, capabilities: {} } });
  });

describe('typescript-language-server', () => {
  it('is the same for an editor with the recorder before it, and of its tape; and is verified by it', async () => {
    const home = openHomeForCodex(); // with a temporary folder, in which this server leaves others
    home.write('work/a.ts', 'const größe: number = 1;\n');
    const server = [join(installed('languageServer'), 'typescript-language-server'), '--stdio'];
    const tape = join(home.path, 'tape.jsonl');
    const without = await edit(home, server);
    expect(JSON.stringify(without)).toContain('const größe: number');
    const [program, args] = commandLine('record', '-q', '-o', tape, '--', ...server);
    expect(await edit(home, [program, ...args])).toEqual(without);
    const [player, given] = commandLine('replay', tape);
    expect(await edit(home, [player, ...given])).toEqual(without);
    const { code, stdout } = await startProgram(home, ...commandLine('replay', tape, '--', ...server)).ended;
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^SAME: /)]);
  });
});
