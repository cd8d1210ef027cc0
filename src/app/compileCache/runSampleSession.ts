/** A short session in memory, run once at build time, so that V8's cache holds what the first call needs. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { lastValueFrom, NEVER } from 'rxjs';
import { createLog } from '../log';
import type { ProcessInfo } from '../processInfo';
import { serve } from '../serve';

const SCRIPT = {
  scenes: [
    {
      when: '',
      answers: [
        {
          items: [
            { text: 'I look.', deltas: 2 },
            { call: 'shell', args: { command: ['true'] } },
          ],
        },
        { items: [{ text: 'done' }], usage: { input_tokens: 1, output_tokens: 1 } },
      ],
    },
  ],
};

const LINES = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'build', version: '1' } },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list' },
  { id: 3, method: 'ping' },
  { id: 4, method: 'tools/call', params: { name: 'codex', arguments: { prompt: '' }, _meta: { progressToken: 1 } } },
];

/** Serves one session to itself; ends once the call was answered. Errors when it was answered wrongly. */
export const runSampleSession = async ({ dist, version }: Pick<ProcessInfo, 'dist' | 'version'>): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'codex-rx-build-'));
  const script = join(folder, 'script.json');
  writeFileSync(script, JSON.stringify(SCRIPT));
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const output: string[] = [];
  stdout.on('data', (chunk) => {
    output.push(String(chunk));
    if (output.join('').includes('"id":4,')) stdin.end();
  });
  for (const line of LINES) stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...line })}\n`);
  const log = createLog({ level: 'error', stderr, secrets: () => [] });
  const machine = { node: '', platform: '', arch: '' };
  const processInfo = { env: {}, cwd: folder, codexHome: folder, dist, version, ...machine };
  const overrides = ['model_provider=scripted', `model_providers.scripted.script=${script}`];
  const times = { askTimeoutMs: 1_000, turnTimeoutMs: 10_000, modelTimeoutMs: 10_000 };
  const tape = { speed: 'max', match: 'strict' } as const;
  const options = {
    engine: 'auto',
    tape,
    overrides,
    face: 'union',
    events: true,
    threadIdInText: 'auto',
    ...times,
  } as const;
  await lastValueFrom(serve({ stdin, stdout, stop$: NEVER, log, processInfo }, options), { defaultValue: undefined });
  rmSync(folder, { recursive: true });
  if (!output.join('').includes('"content":"done"')) throw new Error(`the sample session failed: ${output.join('')}`);
};
