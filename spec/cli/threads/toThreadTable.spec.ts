import { toThreadTable } from '../../../src/cli/commands/threads';

const DAY_MS = 86_400_000;
const thread = (own: object) => ({
  ...{ id: '01a204a1', startedMs: 0, path: '/r', archived: false, writtenMs: 0, size: 1, cwd: '/work', provider: 'p' },
  ...{ source: 'cli', cliVersion: '1', preview: 'hi' },
  ...own,
});

describe('toThreadTable', () => {
  it('aligns its columns and shows how long ago a thread was used', () => {
    const threads = [
      thread({ writtenMs: 3 * DAY_MS - 1_000 }),
      thread({ writtenMs: 3 * DAY_MS - 120_000 }),
      thread({ writtenMs: DAY_MS, preview: 'two\n lines' }),
    ];
    expect(toThreadTable(threads, { width: 80, nowMs: 3 * DAY_MS })).toEqual([
      'id        last used  folder  first prompt',
      '01a204a1  now        /work   hi',
      '01a204a1  2 min      /work   hi',
      '01a204a1  2 d        /work   two lines',
    ]);
  });

  it('keeps to the width, shows the end of a long folder, and nothing that commands a terminal', () => {
    const [, row] = toThreadTable([thread({ cwd: `/${'a'.repeat(40)}/end`, preview: '\u001b[2Jx' })], {
      width: 60,
      nowMs: 0,
    });
    expect(row).toHaveLength(60);
    expect(row).toContain('/end');
    expect(row).not.toContain('\u001b');
  });
});
