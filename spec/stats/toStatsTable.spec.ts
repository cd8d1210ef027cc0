import { join } from 'node:path';
import { toSessionIndex } from '../../src/session';
import { toStats, toStatsTable } from '../../src/stats';
import type { Session } from '../../src/tape';
import { sessionOf } from '../support/tapes';

const statsOf = (session: Session) => toStats(toSessionIndex(session));

describe('toStatsTable', () => {
  it('shows the counts in columns that fit a terminal', () => {
    const table = toStatsTable(statsOf(sessionOf(join(__dirname, '../fixtures/tapes/exec-approval-parallel.jsonl'))));
    expect(table[0]).toBe('server codex-mcp-server 0.28.0, client drive 1.0.0, protocol 2025-06-18, 635 ms');
    expect(table).toContain('  tools/call codex    client       2         2       0  176  369  369');
    expect(Math.max(...table.map((line) => line.length))).toBeLessThanOrEqual(80);
  });
});
