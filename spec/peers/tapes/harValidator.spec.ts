/** A validator of HAR by somebody else takes the calls of a tape, whatever their names. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { openHome, removeHomes } from '../../support/home';
import { closePrograms, startCodexRx } from '../../support/servers/httpPrograms';
import { INSTALL_MS, installed } from '../installed';

beforeAll(() => void installed('harValidator'), INSTALL_MS);
afterEach(async () => {
  closePrograms();
  await removeHomes();
});

const LINES: [number, 'in' | 'out', object][] = [
  [0, 'in', { id: 1, method: 'tools/call', params: { name: 'list files 100%?#' } }],
  [5, 'out', { id: 'q', method: 'elicitation/create', params: { message: 'Which?' } }],
  [7.5, 'in', { id: 'q', result: { action: 'accept' } }],
  [9, 'out', { id: 1, error: { code: -32603, message: 'no' } }],
  [10, 'in', { id: 2, method: 'tools/call', params: { name: 'half a character: \ud83d' } }],
  [12, 'out', { id: 2, result: { content: [] } }],
  [13, 'in', { id: 3, method: 'ping' }],
];
const TAPE = [
  { meta: { version: 1, started: '2026-11-22T12:00:00.000Z' } },
  ...LINES.map(([t, dir, message]) => ({ t, dir, line: JSON.stringify({ jsonrpc: '2.0', ...message }) })),
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join('');

describe('the calls of check --har', () => {
  it('are HAR 1.2', async () => {
    const home = openHome();
    const file = join(home.path, 'calls.har');
    await startCodexRx(home, 'check', home.write('tape.jsonl', TAPE), '--har', file).ended;
    const validator = createRequire(join(installed('harValidator'), '..', 'x'))('har-validator/lib/promise');
    const har = JSON.parse(readFileSync(file, 'utf8'));
    await expect(validator.har(har)).resolves.toBe(har);
    expect(har.log.entries.map(({ request }: { request: { url: string } }) => request.url)).toEqual([
      'mcp://server/tools/call%20list%20files%20100%25?#',
      'mcp://client/elicitation/create',
      'mcp://server/tools/call%20half%20a%20character:%20%EF%BF%BD',
      'mcp://server/ping',
    ]);
  });
});
