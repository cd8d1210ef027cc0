/** A receiver of OTLP by somebody else takes the traces of a tape, and has them as calls below calls. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../support/freePort';
import { openHome, removeHomes } from '../../support/home';
import { closePrograms, startCodexRx, startProgram } from '../../support/servers/httpPrograms';
import { INSTALL_MS, installed } from '../installed';

beforeAll(() => void installed('traceReceiver'), INSTALL_MS);
afterEach(async () => {
  closePrograms();
  await removeHomes();
});

const LINES: [number, 'in' | 'out', object][] = [
  [0, 'in', { id: 1, method: 'tools/call', params: { name: 'delete' } }],
  [5, 'out', { id: 'q', method: 'elicitation/create', params: { message: 'Delete?' } }],
  [1_505, 'in', { id: 'q', result: { action: 'accept' } }],
  [1_600, 'out', { id: 1, result: { content: [{ type: 'text', text: 'no such file' }], isError: true } }],
  [1_700, 'in', { id: 2, method: 'tools/list' }],
  [1_702, 'out', { id: 2, result: { tools: [] } }],
];
const STARTED = '2026-11-22T12:00:00.000Z';

const TAPE = [
  { meta: { version: 1, started: STARTED, server: { name: 'files', version: '1' } } },
  ...LINES.map(([t, dir, message]) => ({ t, dir, line: JSON.stringify({ jsonrpc: '2.0', ...message }) })),
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join('');

type Span = { spanId: string; parentSpanId?: string; displayName: string; spanKind: string; status: object };
type Trace = { spans: Record<string, Span & { startTime: number; endTime: number; attributes: object }> };

describe('the traces of check --otlp', () => {
  it('are read as they are meant', async () => {
    const home = openHome();
    const tape = home.write('tape.jsonl', TAPE);
    const file = join(home.path, 'traces.json');
    await startCodexRx(home, 'check', tape, '--otlp', file).ended;
    const body = readFileSync(file, 'utf8');
    const [{ traceId }] = JSON.parse(body).resourceSpans[0].scopeSpans[0].spans;

    const port = await freePort();
    const packages = join(installed('traceReceiver'), '../..');
    const args = [join(__dirname, 'traceReceiver.mjs'), packages, home.work, `${port}`];
    await startProgram(home, process.execPath, args).found(/(running)/);
    const url = `http://127.0.0.1:${port}/api`;
    const headers = { 'content-type': 'application/json' };
    const sent = await fetch(`${url}/otlp/v1/traces`, { method: 'POST', headers, body });
    expect(sent.status).toBe(200);

    const trace = (await (await fetch(`${url}/traces/${traceId}`)).json()) as Trace;
    const spans = Object.values(trace.spans).sort((a, b) => a.startTime - b.startTime);
    const t = Date.parse(STARTED);
    expect(
      spans.map(({ displayName, spanKind, startTime, endTime }) => [displayName, spanKind, startTime - t, endTime - t]),
    ).toEqual([
      ['tools/call delete', 'SERVER', 0, 1_600],
      ['elicitation/create', 'CLIENT', 5, 1_505],
      ['tools/list', 'SERVER', 1_700, 1_702],
    ]);
    expect(spans.map(({ status }) => status)).toEqual([{ code: 2, message: 'failed' }, { code: 1 }, { code: 1 }]);
    expect(spans.map(({ parentSpanId }) => parentSpanId)).toEqual([undefined, spans[0]?.spanId, undefined]);
    expect(spans[0]?.attributes).toMatchObject({ 'gen_ai.tool.name': 'delete', 'error.type': 'tool_error' });
  });
});
