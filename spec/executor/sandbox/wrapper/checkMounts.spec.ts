import { checkMounts } from '../../../../src/executor/sandbox/wrapper/commandInside';

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
    const assigned = ['device', 'mount', 'devices'];
    expect([...new Set(words)].filter((word) => !assigned.includes(word)).sort()).toEqual([
      'case',
      'check',
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
});
