import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { toTapeLine } from '../../../src/tapes/format/tapeLines';
import { fromCapture, isCaptured } from '../../../src/tapes/import/fromCapture';
import { importSession, objectLines, type SourceName } from '../../../src/tapes/import/importSession';
import { importedBy } from '../../support/tapes';

const importing = (lines: readonly string[], name: SourceName = 'auto') => importSession(lines, name, 'spec');

/** Each entry as its time, its direction and a label. */
const drawn = (lines: readonly string[], name?: SourceName) =>
  importing(lines, name)?.items.flatMap((item) => {
    if (item.kind !== 'entry') return [];
    const { t, dir, line } = item.entry;
    if (dir === 'note' || dir === 'err') return [`${t} ${dir} ${line}`];
    const { method, id, params, result } = JSON.parse(line);
    return [
      `${t} ${dir} ${params?.msg?.type ?? params?.name ?? method ?? `answer ${id} ${result?.content?.[0].text ?? ''}`.trim()}`,
    ];
  });

const rollout = (release: string) =>
  readFileSync(join(__dirname, `../../fixtures/rollouts/${release}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n');

const OPENING = ['0 in initialize', '0 out answer 0', '0 in notifications/initialized'];

describe('importSession', () => {
  it('makes calls of codex of a rollout of 0.142.0, at its times', () => {
    expect(drawn(rollout('0.142.0'))).toEqual([
      ...OPENING,
      '23 in codex',
      '23 out session_configured',
      '23 out task_started',
      '78 out exec_command_begin',
      '131 out exec_command_end',
      '131 out token_count',
      '183 out agent_message',
      '185 out token_count',
      '191 out task_complete',
      '191 out answer 1 Done.',
      '191 note standard input closed',
    ]);
  });

  it('makes calls of codex of a rollout of 0.28.0, a millisecond a step', () => {
    expect(drawn(rollout('0.28.0'))).toEqual([
      ...OPENING,
      '1 in codex',
      '1 out session_configured',
      '2 out exec_command_begin',
      '3 out exec_command_end',
      '4 out agent_message',
      '4 out answer 1 Done.',
      '4 note standard input closed',
    ]);
  });

  it('makes a codex-reply of each later message, on the thread of the rollout', () => {
    const [head = '', ...rest] = rollout('0.28.0');
    const result = importing([head, ...rest, ...rest.slice(2)]);
    const calls = result?.items.flatMap((item) =>
      item.kind === 'entry' && item.entry.line.includes('tools/call') ? [JSON.parse(item.entry.line).params] : [],
    );
    expect(calls).toEqual([
      { name: 'codex', arguments: { prompt: 'hi' } },
      { name: 'codex-reply', arguments: { prompt: 'hi', threadId: 'fd19f521-a429-4db8-9b7b-2a0d5a7baa89' } },
    ]);
  });

  it('takes the command, its output and its exit code of a rollout', () => {
    const result = importing(rollout('0.28.0'));
    const msgs = result?.items.flatMap((item) =>
      item.kind === 'entry' && item.entry.line.includes('"exec_command_')
        ? [JSON.parse(item.entry.line).params.msg]
        : [],
    );
    expect(msgs).toMatchObject([
      { command: ['ls'], call_id: 'c1' },
      { call_id: 'c1', exit_code: 0, stdout: '' },
    ]);
  });

  const at = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms).toISOString();

  it('reads a capture of mcpsnoop', () => {
    const lines = [
      { ts: at(0), direction: 'meta', server_label: 'files', raw: { command: ['node', 's.js'] } },
      { ts: at(5), direction: 'c2s', raw: { id: 0, method: 'initialize' } },
      { ts: at(9), direction: 's2c', raw: { id: 0, result: {} } },
      { ts: at(12), direction: 'stderr', text: 'hello' },
    ].map((line) => JSON.stringify(line));
    expect(drawn(lines)).toEqual([
      '5 in initialize',
      '9 out answer 0',
      '12 err hello',
      '12 note standard input closed',
    ]);
    expect(importing(lines)?.items[0]).toMatchObject({
      meta: { server: 'files', command: ['node', 's.js'], started: at(0) },
    });
  });

  it.each([
    [
      'seconds',
      { dir: 'client', time: 1_767_225_600, msg: '{"method":"a"}' },
      { dir: 'server', time: 1_767_225_601.5, msg: '{"method":"b"}' },
    ],
    [
      'ms',
      { from: 'stdin', ts: 1_767_225_600_000, message: { method: 'a' } },
      { from: 'stdout', ts: 1_767_225_601_500, message: { method: 'b' } },
    ],
    [
      'ns',
      { direction: 'client->server', ts: 1_767_225_600e9, payload: { method: 'a' } },
      { direction: 'server->client', ts: 1_767_225_601.5e9, payload: { method: 'b' } },
    ],
  ])('reads captures with other names, and times in %s', (_, ...lines) => {
    expect(drawn(lines.map((line) => JSON.stringify(line)))?.slice(0, 2)).toEqual(['0 in a', '1500 out b']);
  });

  it('keeps a line it does not know as a note, and names it', () => {
    const result = importing(['{"direction":"c2s","raw":{"method":"a"}}', '{"direction":"up"}', 'no json']);
    expect(result?.problems).toEqual([
      { lineNumber: 2, reason: 'has no known direction, or no message' },
      { lineNumber: 3, reason: 'is not a JSON object' },
    ]);
    expect(result?.items.at(-2)).toMatchObject({ entry: { dir: 'note', line: '{"direction":"up"}' } });
  });

  it.each([[[]], [['']], [['no json']], [['{"a":1}']], [['{"type":"session_meta","payload":{}}']]])(
    'knows no kind of %j',
    (lines) => {
      expect(importing(lines)).toBeUndefined();
    },
  );

  it('never throws, and what it makes are lines of a tape', () => {
    fc.assert(
      fc.property(fc.array(fc.json()), fc.constantFrom<SourceName>('auto', 'rollout', 'capture'), (lines, name) => {
        for (const item of importing(lines, name)?.items ?? []) expect(toTapeLine(item)).toMatch(/^\{.*\}$/);
      }),
    );
  });
});

const imported = (...values: object[]) => importedBy(fromCapture, values);

const STARTED = Date.UTC(2026, 0, 1);

const started = new Date(STARTED).toISOString();

describe('fromCapture', () => {
  it.each([
    ['c2s', 'in'],
    ['Client->Server', 'in'],
    ['client_to_server', 'in'],
    ['client→server', 'in'],
    ['request', 'in'],
    ['s2c', 'out'],
    ['server-to-client', 'out'],
    ['response', 'out'],
    ['STDERR', 'err'],
  ])('reads the direction %s as %s', (direction, dir) => {
    expect(imported({ direction, raw: 'x' }).entries).toEqual([{ t: 0, dir, line: 'x' }]);
  });

  it.each([
    [{ raw: { a: 1 } }, '{"a":1}'],
    [{ message: 'm' }, 'm'],
    [{ raw: '', payload: { b: 2 } }, '{"b":2}'],
    [{ msg: null, text: 't' }, 't'],
  ])('reads the message of %j', (own, line) => {
    expect(imported({ dir: 'in', ...own }).entries).toEqual([{ t: 0, dir: 'in', line }]);
  });

  it('counts from the first time, never back, and takes the time before where there is none', () => {
    const times = [STARTED, STARTED + 7, STARTED + 3, undefined, STARTED + 9];
    const { meta, entries } = imported(...times.map((ts) => ({ dir: 'in', raw: 'x', ...(ts && { ts }) })));
    expect([meta, entries.map(({ t }) => t)]).toEqual([{ started }, [0, 7, 7, 7, 9]]);
  });

  it('takes what the first line names of the server into the meta', () => {
    expect(
      imported({ direction: 'meta', ts: STARTED, server_label: 's', raw: { command: ['c'], secret: 'x' } }),
    ).toEqual({ meta: { started, server: 's', command: ['c'] }, entries: [], problems: [] });
    expect(imported({ direction: 'meta', server_label: 's' })).toEqual({
      meta: { server: 's' },
      entries: [],
      problems: [],
    });
  });

  it.each([
    ['an unknown direction', { direction: 'up', raw: 'x' }],
    ['no message          ', { direction: 'c2s', raw: '' }],
    ['no direction        ', { raw: 'x' }],
    ['a member of objects ', { direction: 'constructor', raw: 'x' }],
  ])('keeps a line with %s as a note, and reports it', (_, value) => {
    expect(imported(value)).toEqual({
      meta: {},
      entries: [{ t: 0, dir: 'note', line: JSON.stringify(value) }],
      problems: [{ lineNumber: 1, reason: 'has no known direction, or no message' }],
    });
  });
});

describe('isCaptured', () => {
  it.each([
    [{ direction: 'up' }, true],
    [{ from: 'client' }, true],
    [{ direction: '' }, false],
    [{ id: 1 }, false],
  ])('of %j is %j', (value, expected) => {
    expect(isCaptured(value)).toBe(expected);
  });
});

describe('objectLines', () => {
  it('has the objects by their lines, and reports each other line that is not blank', () => {
    const report = jest.fn();
    const { read } = objectLines(report);
    const lines = ['{"a":1}', '', ' ', 'x', '[1]', '{"b":2}'];
    expect(lines.flatMap((line, i) => read(line, i + 1))).toEqual([
      { lineNumber: 1, value: { a: 1 } },
      { lineNumber: 6, value: { b: 2 } },
    ]);
    const reason = 'is not a JSON object';
    expect(report.mock.calls).toEqual([[{ lineNumber: 4, reason }], [{ lineNumber: 5, reason }]]);
  });
});

describe('importSession of a stranger', () => {
  const odd = { toString: 1, valueOf: 2 };
  const members = ['call_id', 'id', 'message', 'text', 'command', 'query', 'reason', 'arguments', 'name', 'exit_code'];
  const all = { ...Object.fromEntries(members.map((name) => [name, odd])), action: { command: [odd], queries: [odd] } };
  const kinds = ['exec_command_end', 'agent_message', 'error', 'turn_aborted', 'web_search_end', 'local_shell_call'];
  const calls = ['function_call', 'web_search_call', 'command_execution', 'mcp_tool_call', 'file_change', 'todo_list'];
  const changes = [{ path: odd, kind: odd }];

  it.each<[string, (type: string) => object[]]>([
    ['rollout', (type) => ['event_msg', 'response_item'].map((item) => ({ type: item, payload: { ...all, type } }))],
    ['exec', (type) => [{ type: 'item.completed', item: { ...all, type, changes, items: [{ text: odd }] } }]],
    ['capture', () => [{ type: odd, direction: odd, timestamp: odd, message: { jsonrpc: '2.0', id: 1, method: 'x' } }]],
  ])('reads whatever is in the place of a text of a %s', (name, toLines) => {
    const lines = [...kinds, ...calls].flatMap(toLines).map((line) => JSON.stringify(line));
    expect(() => importing(lines, name as SourceName)).not.toThrow();
    expect(() => importing(lines)).not.toThrow();
  });
});
