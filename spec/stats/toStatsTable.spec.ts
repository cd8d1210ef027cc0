import { join } from 'node:path';
import { toSessionIndex } from '../../src/session';
import { toStats, toStatsJson, toStatsTable } from '../../src/stats';
import type { Session } from '../../src/tape';
import { faultsOf, HOSTILE } from '../support/hostile';
import { sessionFrom, sessionOf } from '../support/tapes';

const statsOf = (session: Session) => toStats(toSessionIndex(session));

const hostile = sessionFrom(
  [0, 'in', { id: 1, method: HOSTILE, params: { clientInfo: { name: HOSTILE } } }],
  [1, 'out', { method: HOSTILE }],
);

describe('toStatsTable', () => {
  it('shows the counts in columns that fit a terminal', () => {
    const table = toStatsTable(statsOf(sessionOf(join(__dirname, '../fixtures/tapes/exec-approval-parallel.jsonl'))));
    expect(table[0]).toBe('server codex-mcp-server 0.28.0, client drive 1.0.0, protocol 2025-06-18, 635 ms');
    expect(table).toContain('  tools/call codex    client       2         2       0  176  369  369');
    expect(Math.max(...table.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it('shows what would command a terminal, in aligned columns', () => {
    const table = toStatsTable(statsOf(hostile));
    expect(faultsOf(table.join('\n'))).toEqual([]);
    expect(table[0]).toMatch(/^server unknown, client E\\u001b\[31m/);
  });
});

describe('toStatsJson', () => {
  it('escapes what would command a terminal, and keeps the values', () => {
    const stats = statsOf(hostile);
    expect(faultsOf(toStatsJson(stats))).toEqual([]);
    expect(JSON.parse(toStatsJson(stats))).toEqual(stats);
  });
});
