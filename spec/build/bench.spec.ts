/** The bench names files of src that it bundles, and metrics: a move that it does not follow shows here, and not on the day it is needed. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

const node = (...args: string[]) => execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });

describe('the bench', () => {
  it('finds what it bundles', () => {
    const script = `
      import { mkdtempSync, rmSync } from 'node:fs';
      import { tmpdir } from 'node:os';
      import { join } from 'node:path';
      import { loadExecutor } from './spec/bench/runners.mjs';
      const folder = mkdtempSync(join(tmpdir(), 'codex-rx-bench-'));
      const { localBackend, natsBackend, watchGroups, connectNats, NATS_DEFAULTS, noBackpressure } = await loadExecutor(folder);
      rmSync(folder, { recursive: true });
      const kinds = [localBackend, natsBackend, watchGroups, connectNats, NATS_DEFAULTS, noBackpressure].map((one) => typeof one);
      process.stdout.write(kinds.join(' '));`;
    expect(node('--input-type=module', '-e', script)).toBe('function function function function object object');
  });

  it('shows its metrics', () => {
    expect(node('spec/bench/bench.mjs', '--help')).toContain('only these metrics: startup, ping, pings');
  });
});
