import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { firstValueFrom } from 'rxjs';
import { importTape, startImporting } from '../../../src/cli/commands/import';
import { givenBy, problemBy } from '../reading';

describe('import', () => {
  it('looks at the file for its format by default', () => {
    expect(givenBy(importTape, '-')).toEqual({ file: '-', from: 'auto', out: undefined, command: [] });
  });

  it('refuses a format that it does not know', () => {
    expect(problemBy(importTape, 'f', '--from', 'har')).toMatch(/^--from must be auto, .*; it is har$/);
  });
});

describe('startImporting, into a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'codex-rx-import-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const never = () => {
    throw new Error('nothing of this is used');
  };

  /** Imports the lines from a file, which is read in a stream, and from stdin, which is read as a whole. */
  const imported = async (lines: readonly string[], from: 'auto' | 'log' = 'auto') => {
    const remarks: string[] = [];
    const text = lines.map((line) => `${line}\n`).join('');
    const [source, out] = [join(folder, 'source'), join(folder, 'tape.jsonl')];
    writeFileSync(source, text);
    const deps = (stdin: PassThrough) => ({
      stdin,
      remark: (remark: string) => void remarks.push(remark.replace(/^[^:]*/, '')),
      nats: never,
      version: '1',
    });
    const stdin = new PassThrough();
    stdin.end(text);
    try {
      const streamed = await firstValueFrom(startImporting(deps(stdin), source, { from, out }));
      const whole = await firstValueFrom(startImporting(deps(stdin), '-', { from }));
      expect(`${whole.text}\n`).toBe(readFileSync(out, 'utf8'));
      expect(streamed).toEqual({ kind: whole.kind, entries: whole.entries, sessions: whole.sessions });
      return { ...streamed, remarks };
    } finally {
      rmSync(out, { force: true });
    }
  };
  const line = (value: object) => JSON.stringify(value);

  it.each([
    [
      'rollout',
      [
        line({ timestamp: '2026-01-01T00:00:00Z', type: 'session_meta', payload: { id: 'T' } }),
        line({ type: 'event_msg', payload: { type: 'user_message', message: 'go' } }),
        line({ type: 'event_msg', payload: { type: 'agent_message', message: 'done' } }),
      ],
    ],
    ['exec', [line({ type: 'thread.started', thread_id: 'T' }), line({ type: 'turn.started' })]],
    [
      'capture',
      [line({ dir: 'out', raw: { id: 1, method: 'initialize' } }), line({ dir: 'in', raw: { id: 1, result: {} } })],
    ],
    ['capture', [line({ id: 1, method: 'session/new' }), line({ id: 1, result: {} })]],
    ['log', ['2026-01-02T10:00:00.000Z [demo] [info] Message from client: {"method":"ping","id":1}']],
    [
      'log',
      [
        "[Trace - 10:00:00] Sending request 'initialize - (0)'.",
        'Params: {',
        '"a": 1 }',
        "Received response 'initialize - (0)' in 1ms.",
      ],
    ],
    ['document', ['{ "interactions": [', '{"request": {"id": 1, "method": "ping"}} ]', '}']],
  ])('makes of a %s in a stream what it makes of the whole', async (kind, lines) => {
    expect(await imported(lines)).toMatchObject({ kind, remarks: [] });
  });

  it('remarks on the first lines that it cannot use, and counts the others', async () => {
    const bad = Array.from({ length: 12 }, () => 'x');
    const { remarks } = await imported([line({ dir: 'in', raw: { id: 1, method: 'ping' } }), ...bad]);
    expect(remarks.slice(0, 11)).toEqual([
      ...Array.from({ length: 10 }, (_, i) => `:${i + 2}: is not a JSON object`),
      ': 2 more lines cannot be used as they are',
    ]);
  });

  it('leaves no file where nothing is a message', async () => {
    await expect(imported([line({ dir: 'in', raw: 'hello' })])).rejects.toThrow('holds no message');
    expect(readdirSync(folder)).toEqual(['source']);
  });
});
