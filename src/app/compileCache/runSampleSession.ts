/** A short session in memory, run once at build time, so that V8's cache holds what the first calls need. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { lastValueFrom, NEVER } from 'rxjs';
import { createLog } from '../log';
import type { ProcessInfo } from '../processInfo';
import { serve } from '../serve';
import { areAnswered } from './areAnswered';
import { openSampleModel } from './sampleModel';
import { sessionOptions } from './sessionOptions';

const FREE = { 'approval-policy': 'never', sandbox: 'danger-full-access' };

const linesFor = (cwd: string) => [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'build', version: '1' } },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list' },
  { id: 3, method: 'ping' },
  { id: 4, method: 'tools/call', params: { name: 'codex', arguments: { prompt: '' }, _meta: { progressToken: 1 } } },
  { id: 6, method: 'tools/call', params: { name: 'codex', arguments: { prompt: '', cwd, ...FREE } } },
  { id: 5, method: 'tools/call', params: { name: 'codex-reply', arguments: { prompt: '' } } },
];

/** The ids of the calls; on a busy machine the one in the sandbox may be answered after the others. */
const CALLS = [4, 5, 6];

/** A config.toml as people write it. */
const CONFIG = `model_reasoning_effort = "low"

[analytics]
enabled = false

[profiles.sample]
model = 'gpt-5'
`;

/** Serves one session to itself. Resolves once the calls are answered; rejects when they are answered wrongly. */
export const runSampleSession = async ({ dist, version }: Pick<ProcessInfo, 'dist' | 'version'>): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'codex-rx-build-'));
  const model = await openSampleModel();
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const output: string[] = [];
  stdout.on('data', (chunk) => {
    output.push(String(chunk));
    if (areAnswered(CALLS, output.join(''))) stdin.end();
  });
  writeFileSync(join(folder, 'config.toml'), CONFIG);
  for (const line of linesFor(folder)) stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...line })}\n`);
  const log = createLog({ level: 'error', stderr, secrets: () => [] });
  const machine = { node: '', platform: '', arch: '' };
  const processInfo = { env: {}, cwd: folder, codexHome: folder, dist, version, ...machine };
  const deps = { stdin, stdout, stop$: NEVER, log, processInfo };
  await lastValueFrom(serve(deps, sessionOptions({ provider: 'sample', url: model.url, limitMs: 60_000 })), {
    defaultValue: undefined,
  });
  model.close();
  rmSync(folder, { recursive: true });
  const answers = output.join('').match(/"content":"done"/g) ?? [];
  if (answers.length !== CALLS.length) throw new Error(`the sample session failed: ${output.join('')}`);
};
