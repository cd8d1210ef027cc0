import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkMounts } from '../../../../src/executor/sandbox/wrapper/commandInside';
import { readMountTable, toEscaped } from '../../../../src/executor/sandbox/wrapper/mountsOf';
import { needs } from '../../../support/needs/needs';

/** What it does with real mounts is in spec/attack/sandboxMounts. */
describe('checkMounts', () => {
  it('reads the table once, from beginning to end, as each shell does that', () => {
    const readsIn = (shell: 'bash' | 'sh') =>
      checkMounts(shell, 5)
        .split('\n')
        .filter((line) => / row; do|row in|mountinfo/.test(line));
    expect(readsIn('bash')).toEqual(['mapfile -t rows </proc/self/mountinfo', `for row in "\${rows[@]}"; do`]);
    expect(readsIn('sh')).toEqual(['while IFS= read -r row; do', 'done </proc/self/mountinfo']);
  });

  it('reads what is expected where it is open', () => {
    expect(checkMounts('sh', 7)).toContain('\ndone <&7\n');
  });

  it('starts no program, for programs are what it cannot trust yet', () => {
    const words = checkMounts('bash', 5)
      .split('\n')
      .map((line) => line.split(/[ =(]/)[0] ?? '')
      .filter((word) => /^[a-z]+$/.test(word));
    const assigned = ['at', 'device', 'mount', 'devices'];
    expect([...new Set(words)].filter((word) => !assigned.includes(word)).sort()).toEqual([
      'case',
      'check',
      'decode',
      'done',
      'esac',
      'exit',
      'for',
      'if',
      'local',
      'mapfile',
      'printf',
      'refuse',
      'set',
      'while',
    ]);
  });

  needs('sandbox').it.each(['bash', 'sh'] as const)('finds a file that should be hidden by any name: %s', (shell) => {
    const base = mkdtempSync(join(tmpdir(), 'codex-rx-'));
    const names = ['plain', 'a 1', 'a\\1', '\\0', '\\', 'a\nb', 'end\n\n', 'a\t7', '-e', '*', '%s', '$(exit)', '"'];
    const rows = readMountTable(readFileSync('/proc/self/mountinfo', 'utf8'));
    const mounts = ['ro', 'rw'].flatMap((access) =>
      rows.map((row) => `may ${row.target} ${row.type.startsWith('cgroup') ? '*' : row.root} ${row.device} ${access}`),
    );
    const exitCodeOf = (path: string) => {
      const devices = `devices ${rows.map(({ device }) => device).join(' ')}`;
      writeFileSync(
        join(base, 'expected'),
        [devices, `hide ${toEscaped(path)} /null 0:0 ro`, ...mounts, ''].join('\n'),
      );
      const fd = openSync(join(base, 'expected'), 'r');
      const { status } = spawnSync(shell, ['-c', checkMounts(shell, 3)], { stdio: ['ignore', 'pipe', 'pipe', fd] });
      closeSync(fd);
      return status;
    };
    const seen = names.map((name) => {
      const path = join(base, name);
      const gone = exitCodeOf(path);
      writeFileSync(path, 'secret');
      return [name, gone, exitCodeOf(path)];
    });
    rmSync(base, { recursive: true });
    expect(seen).toEqual(names.map((name) => [name, 0, 126]));
  });
});
