/** Owns a small MCP server on stdio with one tool, `echo`, as a program for others to start. */
import type { Home } from '../home';

/** `answerChars`: the length of the answer, in many short items; without it, the answer repeats the text of the request. It comes after `waitMs`. */
export type ToolServer = { answerChars?: number; waitMs?: number };

const SCRIPT = ({ answerChars = 0, waitMs = 0 }: ToolServer) => `
const tool = { name: 'echo', description: 'echo', inputSchema: { type: 'object', properties: { text: { type: 'string' } } } };
const item = (text) => ({ type: 'text', text });
const items = Array.from({ length: ${answerChars} / 8 }, (_, i) => item(String(i).padStart(8, '0')));
const results = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'echo', version: '1' } }),
  'tools/list': () => ({ tools: [tool] }),
  'tools/call': ({ arguments: { text } }) => ({ content: items.length > 0 ? items : [item('ECHO:' + text + ' in ' + process.cwd())] }),
};
const answer = ({ id, method, params }) => {
  const about = results[method] ? { result: results[method](params) } : { error: { code: -32601, message: 'no' } };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...about }) + '\\n');
};
console.error('up');
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.id !== undefined) setTimeout(answer, message.method === 'tools/call' ? ${waitMs} : 0, message);
});
`;

/** Writes the server under a home; the command that starts it. */
export const writeToolServer = (home: Home, how: ToolServer = {}): [string, string] => [
  process.execPath,
  home.write('toolServer.cjs', SCRIPT(how)),
];
