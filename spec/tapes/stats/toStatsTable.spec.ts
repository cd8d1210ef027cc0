import { join } from 'node:path';
import type { Session } from '../../../src/tapes/format/tape';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { toStats, toStatsJson, toStatsTable, toTable } from '../../../src/tapes/stats/toStats';
import { faultsOf, HOSTILE } from '../../support/hostile';
import { sessionFrom, sessionOf } from '../../support/tapes';

const statsOf = (session: Session) => toStats(toSessionIndex(session));

const hostile = sessionFrom(
  [0, 'in', { id: 1, method: HOSTILE, params: { clientInfo: { name: HOSTILE } } }],
  [1, 'out', { method: HOSTILE }],
);

describe('toStatsTable', () => {
  it('shows the counts in columns that fit a terminal', () => {
    const table = toStatsTable(
      statsOf(sessionOf(join(__dirname, '../../fixtures/tapes/exec-approval-parallel.jsonl'))),
    );
    expect(table[0]).toBe('server codex-mcp-server 0.28.0, client drive 1.0.0, protocol 2025-06-18, 635 ms');
    expect(table).toContain('  tools/call codex    client       2         2       0  176  369  369');
    expect(Math.max(...table.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it.each([40, 50, 60, 74, 100])('fits %i columns, and keeps all numbers', (width) => {
    const session = sessionOf(join(__dirname, '../../fixtures/tapes/exec-approval-parallel.jsonl'));
    const table = toStatsTable(statsOf(session), width);
    expect(table.filter((line) => line.length > width)).toEqual([]);
    expect(table.join('\n')).toMatch(/176\D[\s\S]*369/);
  });

  it('puts numbers below a name where they have no room beside it', () => {
    const session = sessionFrom([0, 'in', { id: 1, method: 'a/b' }], [7, 'out', { id: 1, result: {} }]);
    const table = toStatsTable(statsOf(session), 40);
    expect(table.slice(table.indexOf('  a/b'))).toEqual([
      ...['  a/b', '    by the client, count 1, answered 1', '    errors 0', '    p50 7, p99 7, max 7'],
      ...['', 'slowest', '  7  a/b  line 1'],
    ]);
  });

  it('shows what would command a terminal, in aligned columns', () => {
    const table = toStatsTable(statsOf(hostile));
    expect(faultsOf(table.join('\n'))).toEqual([]);
    expect(table[0]).toMatch(/^server unknown, client E\\x1b\[31m/);
  });
});

describe('toStatsJson', () => {
  it('escapes what would command a terminal, and keeps the values', () => {
    const stats = statsOf(hostile);
    expect(faultsOf(toStatsJson(stats))).toEqual([]);
    expect(JSON.parse(toStatsJson(stats))).toEqual(stats);
  });
});

const rows = [
  ['name', 'n'],
  ['a long name of a tool', 7],
  ['b', null],
];

describe('toTable', () => {
  it('aligns names left and numbers right', () => {
    expect(toTable(rows, 0, 80)).toEqual([
      'name                   n',
      'a long name of a tool  7',
      'b                      -',
    ]);
  });

  it('cuts names to fit, to twelve columns at least', () => {
    expect(toTable(rows, 0, 15)).toEqual(['name          n', 'a long name…  7', 'b             -']);
    expect(toTable(rows, 0, 14)).toBeUndefined();
  });

  it('is empty without rows', () => {
    expect(toTable([], 0, 40)).toEqual([]);
  });
});
