import { join } from 'node:path';
import type { Session } from '../../../src/tapes/format/tape';
import { wholePart } from '../../../src/tapes/session/readParts';
import type { SessionIndex } from '../../../src/tapes/session/sessionIndex';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { toStatsJson, toStatsTable, toTable } from '../../../src/tapes/stats/statsTable';
import { tally } from '../../../src/tapes/stats/toStats';
import { faultsOf, HOSTILE } from '../../support/hostile';
import { sessionFrom, sessionOf } from '../../support/tapes';

/** What is counted in a whole session. */
const toStats = (index: SessionIndex) => {
  const counts = tally();
  counts.add(wholePart(index));
  return counts.end();
};

const statsOf = (session: Session) => toStats(toSessionIndex(session));

describe('tally', () => {
  it('counts what is named as a member of every object like anything else', () => {
    const session = sessionFrom([0, 'constructor', 'x'], [1, 'out', { method: '__proto__' }]);
    const { lines, notifications } = statsOf(session);
    expect([Object.entries(lines), Object.entries(notifications)]).toEqual([
      [
        ['constructor', 1],
        ['out', 1],
      ],
      [['__proto__', 1]],
    ]);
  });

  it('counts lines, bytes, answers and how long they took', () => {
    const ask = (id: number) => ({ id, method: 'tools/call', params: { name: 'codex' } });
    const session = sessionFrom(
      [0, 'in', { id: 0, method: 'initialize', params: { clientInfo: { name: 'c' } } }],
      [4, 'out', { id: 0, result: { serverInfo: { name: 's', version: '1' }, protocolVersion: '2025-06-18' } }],
      [10, 'in', ask(1)],
      [11, 'in', ask(2)],
      [12, 'out', { method: 'note', params: {} }],
      [20, 'out', { id: 7, method: 'elicitation/create' }],
      [120, 'in', { id: 7, result: {} }],
      [130, 'out', { id: 1, error: { code: 1 } }],
      [131, 'err', 'hm'],
    );
    expect(statsOf(session)).toMatchObject({
      server: { name: 's', version: '1' },
      client: { name: 'c' },
      protocol: '2025-06-18',
      durationMs: 131,
      lines: { in: 4, out: 4, err: 1 },
      bytes: { err: 3 },
      methods: [
        { method: 'initialize', who: 'client', count: 1, answered: 1, errors: 0, p50Ms: 4, p99Ms: 4, maxMs: 4 },
        { method: 'tools/call codex', who: 'client', count: 2, answered: 1, errors: 1, p50Ms: 120, p99Ms: 120 },
        { method: 'elicitation/create', who: 'server', count: 1, answered: 1, errors: 0, p50Ms: 100 },
      ],
      notifications: { note: 1 },
      slowest: [
        { lineNumber: 3, method: 'tools/call codex', ms: 120 },
        { lineNumber: 6, method: 'elicitation/create', ms: 100 },
        { lineNumber: 1, method: 'initialize', ms: 4 },
      ],
    });
  });

  it('counts timers of all lengths together', () => {
    const { meta, entries } = sessionFrom([0, 'in', 'null'], [1, 'in', 'null']);
    const timers = entries.map((one, i) => ({ ...one, entry: { ...one.entry, seam: `timer ${i}`, call: i } }));
    expect(statsOf({ meta, entries: timers }).lines).toEqual({ 'timer.in': 2 });
  });

  it('counts a result with isError among the errors, as a tool that failed', () => {
    const call = (id: number) => ({ id, method: 'tools/call', params: { name: 'codex' } });
    const session = sessionFrom(
      [0, 'in', call(1)],
      [1, 'out', { id: 1, result: { content: [], isError: true } }],
      [2, 'in', call(2)],
      [3, 'out', { id: 2, result: { content: [], isError: false } }],
    );
    expect(statsOf(session).methods).toMatchObject([{ method: 'tools/call codex', answered: 2, errors: 1 }]);
  });

  it('counts how prompts ended and questions were answered, and updates of an agent by their kind', () => {
    const permission = (id: number) => ({
      id,
      method: 'session/request_permission',
      params: { options: [{ optionId: 'y', kind: 'allow_once' }] },
    });
    const { outcomes, notifications } = toStats(
      toSessionIndex(
        sessionFrom(
          [0, 'in', { id: 1, method: 'session/prompt' }],
          [1, 'out', { method: 'session/update', params: { update: { sessionUpdate: 'plan' } } }],
          [2, 'out', permission(1)],
          [3, 'in', { id: 1, result: { outcome: { outcome: 'selected', optionId: 'y' } } }],
          [4, 'out', permission(2)],
          [5, 'in', { id: 2, result: { outcome: { outcome: 'cancelled' } } }],
          [6, 'out', { id: 3, method: 'elicitation/create' }],
          [7, 'in', { id: 3, result: { action: 'accept' } }],
          [8, 'out', { id: 1, result: { stopReason: 'end_turn' } }],
          [9, 'in', { id: 2, method: 'session/prompt' }],
          [10, 'out', { id: 2, error: {} }],
        ),
      ),
    );
    expect(outcomes).toEqual({
      'session/prompt end_turn': 1,
      'session/request_permission allow_once': 1,
      'session/request_permission cancelled': 1,
      'elicitation/create accept': 1,
    });
    expect(notifications).toEqual({ 'session/update plan': 1 });
  });

  it('takes the percentiles from what was answered', () => {
    const lines = Array.from({ length: 100 }, (_, i): [number, string, object][] => [
      [1000 * i, 'in', { id: i, method: 'ping' }],
      [1000 * i + i + 1, 'out', { id: i, result: {} }],
    ]).flat();
    expect(statsOf(sessionFrom(...lines)).methods).toMatchObject([{ count: 100, p50Ms: 50, p99Ms: 99, maxMs: 100 }]);
  });

  it('times each request of a batch by its own response, and none by a response to nothing', () => {
    const session = sessionFrom(
      [
        0,
        'in',
        [
          { id: 1, method: 'a' },
          { id: 2, method: 'b' },
        ],
      ],
      [3, 'out', { id: 2, result: {} }],
      [5, 'out', { id: null, error: { code: 1 } }],
      [7, 'out', { id: 1, error: { code: 1 } }],
    );
    const of = { who: 'client', count: 1, answered: 1 };
    expect(statsOf(session).methods).toEqual([
      { ...of, method: 'a', errors: 1, p50Ms: 7, p99Ms: 7, maxMs: 7 },
      { ...of, method: 'b', errors: 0, p50Ms: 3, p99Ms: 3, maxMs: 3 },
    ]);
  });

  it('takes what nests deeper than anybody can follow for no message', () => {
    const deep = (depth: number) => `{"id":1,"method":"m","params":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    expect(statsOf(sessionFrom([0, 'in', deep(400)])).methods).toHaveLength(1);
    expect(statsOf(sessionFrom([0, 'in', deep(100_000)]))).toMatchObject({ methods: [], lines: { in: 1 } });
  });

  it('knows no times of an empty session', () => {
    expect(statsOf({ meta: {}, entries: [] })).toMatchObject({ methods: [], slowest: [], durationMs: 0, server: null });
  });
});

describe('toStatsTable', () => {
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
});
