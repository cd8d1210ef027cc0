import fc from 'fast-check';
import { NO_WORDS } from '../../../src/tapes/matching/maskWords';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import type { WrittenPhase } from '../../../src/tapes/specWriter/toPhases';
import { toMessageSource, toQuoted, toSource } from '../../../src/tapes/specWriter/toSource';
import {
  longestOf,
  NO_PACE,
  paceOf,
  type Runner,
  type Subject,
  toSessionOptions,
  toSpec,
  toTestLimit,
} from '../../../src/tapes/specWriter/toSpec';
import { anyText } from '../../support/hostile';
import { sessionFrom } from '../../support/tapes';

const phase = (name: string, more: Partial<WrittenPhase> = {}): WrittenPhase => ({
  name,
  client: 'p-',
  server: ['-P'],
  values: [
    ['p', { jsonrpc: '2.0', id: '<id>', method: 'ping' }],
    ['P', { jsonrpc: '2.0', id: '<id of p>', result: {} }],
  ],
  ...more,
});

const options = {
  name: 'a.jsonl',
  runner: 'node',
  subject: { kind: 'command', argv: ['cat'], namedBy: 'person' },
  writer: 'w 1',
} as const;
const COMMAND: Subject = options.subject;
const TAPE: Subject = { kind: 'tape', path: 'a.jsonl' };
const linesOf = (phases: WrittenPhase[], runner: Runner = 'node') => toSpec(phases, { ...options, runner }).split('\n');

const request = { id: 1, method: 'ping' };

describe('toSpec', () => {
  it('writes one phase as a module', () => {
    expect(linesOf([phase('ping')])).toEqual([
      '// Written from a.jsonl by w 1.',
      '// It starts this program: cat',
      '// Small letters are the client, capitals the server; a column is a message, and only the order counts.',
      "import { test } from 'node:test';",
      "import { answer, request, session, stdio } from 'codex-rx/testing';",
      '',
      "const server = stdio(['cat']);",
      '',
      'const values = {',
      "  p: request('ping'),",
      "  P: answer('p', {}),",
      '};',
      '',
      "test('a.jsonl: the server responds as recorded', () =>",
      '  session(server, { limitMs: 30_000 }).plays({',
      "    client: 'p-',",
      "    server: '-P',",
      '    values,',
      '  }));',
      '',
    ]);
  });

  it('starts a server whose messages have headers as one', () => {
    const subject = { kind: 'command', argv: ['cat'], framing: 'contentLength', namedBy: 'person' } as const;
    expect(toSpec([phase('ping')], { ...options, subject })).toContain("stdio(['cat'], { framing: 'contentLength' });");
  });

  it.each<[Subject, string]>([
    [
      { kind: 'command', argv: ['sh', '-c', 'rm x\n\u202e'], namedBy: 'tape' },
      "// It starts this program, as the tape names it: sh -c 'rm x\\n\\u202e'",
    ],
    [{ kind: 'tape', path: 'a.jsonl' }, '// It starts no program: the tape is the server.'],
  ])('names at its top what it starts: %j', (subject, line) => {
    expect(toSpec([phase('ping')], { ...options, subject }).split('\n')[1]).toBe(line);
  });

  it('numbers phases of one name, and gives each its own values', () => {
    const text = linesOf([phase('tools/call codex'), phase('tools/call codex'), phase('Other', { values: [] })]);
    expect(text.filter((line) => /name:|values:|^const/.test(line))).toEqual([
      "const server = stdio(['cat']);",
      'const toolsCallCodexValues = {',
      'const toolsCallCodexValues2 = {',
      "      name: 'tools/call codex',",
      '      values: toolsCallCodexValues,',
      "      name: 'tools/call codex, 2',",
      '      values: toolsCallCodexValues2,',
      "      name: 'Other',",
    ]);
  });

  it.each<[Runner, string | undefined, string]>([
    ['node', "import { test } from 'node:test';", 'test('],
    ['vitest', "import { test } from 'vitest';", 'test('],
    ['jest', undefined, 'test('],
    ['mocha', undefined, 'it('],
  ])('imports what %s needs', (runner, line, call) => {
    const lines = linesOf([phase('ping')], runner);
    expect(lines.find((one) => /^import { test }/.test(one))).toBe(line);
    expect(lines.some((one) => one.startsWith(`${call}'a.jsonl`))).toBe(true);
  });

  it('keeps a name with line breaks inside its comment', () => {
    const text = toSpec([phase('ping')], { ...options, name: 'a\nprocess.exit()' });
    expect(text.split('\n')[0]).toBe('// Written from a process.exit() by w 1.');
  });

  it('requires in a CommonJS module', () => {
    const text = toSpec([phase('ping')], { ...options, modules: 'require' });
    expect(text.split('\n').slice(3, 5)).toEqual([
      "const { test } = require('node:test');",
      "const { answer, request, session, stdio } = require('codex-rx/testing');",
    ]);
  });

  it.each<[Runner, number, string]>([
    ['node', 60_000, '  }));'],
    ['jest', 2_000, '  }), 41_000);'],
    ['vitest', 10_000, '  }), 65_000);'],
    ['mocha', 1_500, '  })).timeout(40_000);'],
  ])('gives %s time for a session of %i ms', (runner, totalMs, end) => {
    const pace = { ...NO_PACE, totalMs };
    const lines = toSpec([phase('ping')], { ...options, runner, pace })
      .trimEnd()
      .split('\n');
    expect(lines.at(-1)).toBe(end);
    const two = toSpec([phase('ping'), phase('pong')], { ...options, runner, pace })
      .trimEnd()
      .split('\n');
    expect(two.at(-1)).toBe(end.replace('  })', '  )'));
  });

  it('waits longer for a server that was slow', () => {
    const pace = { ...NO_PACE, silentMs: 7_001, endMs: 600 };
    const open = '  session(server, { limitMs: 30_000, settleMs: 3_000 }).plays(';
    expect(toSpec([phase('ping')], { ...options, pace })).toContain(`\n${open}{\n`);
    expect(toSpec([phase('ping'), phase('pong')], { ...options, pace })).toContain(`\n${open}\n`);
  });
});

describe('toSource', () => {
  it('is JavaScript of the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const plain: unknown = JSON.parse(JSON.stringify(value)); // -0 is 0 in JSON
        expect(new Function(`return (${toSource(plain, 0)})`)()).toEqual(plain);
      }),
    );
  });

  it('quotes any text', () => {
    fc.assert(fc.property(anyText(), (text) => expect(new Function(`return ${toQuoted(text)}`)()).toBe(text)));
  });

  it('escapes what is not seen', () => {
    expect(toQuoted('a\u202eb\u009b')).toBe("'a\\u202eb\\u009b'");
  });

  it('keeps a member named __proto__', () => {
    const value: unknown = JSON.parse('{"__proto__":{"a":1}}');
    expect(JSON.stringify(new Function(`return (${toSource(value, 0)})`)())).toBe('{"__proto__":{"a":1}}');
  });
});

describe('toMessageSource', () => {
  it.each([
    [{ jsonrpc: '2.0', id: '<id>', method: 'a' }, "request('a')"],
    [{ jsonrpc: '2.0', method: 'a', params: {} }, "notification('a', {})"],
    [{ jsonrpc: '2.0', id: '<id of x>', result: 1 }, "answer('x', 1)"],
    [{ jsonrpc: '2.0', id: '<id of x>', error: { code: -1, message: 'no' } }, "refusal('x', -1, 'no')"],
    [{ jsonrpc: '2.0', id: '<id of x>', error: { code: 1, message: 'no', data: [1] } }, "refusal('x', 1, 'no', [1])"],
    [{ id: 7, method: 'a' }, "{ id: 7, method: 'a' }"],
    [{ jsonrpc: '2.0', id: 'own', method: 'a' }, "{ jsonrpc: '2.0', id: 'own', method: 'a' }"],
    [{ jsonrpc: '2.0', method: 'a', params: 3 }, "{ jsonrpc: '2.0', method: 'a', params: 3 }"],
    ['{broken', "'{broken'"],
  ])('writes %j', (value, text) => {
    expect(toMessageSource(value, 0, 0).text).toBe(text);
  });
});

describe('toSessionOptions', () => {
  it.each<[number, number, string]>([
    [2_500, 500, ''],
    [7_001, 500, ', { limitMs: 27_000 }'],
    [0, 600, ', { settleMs: 3_000 }'],
    [3_000, 1_000, ', { limitMs: 14_000, settleMs: 4_000 }'],
  ])('waits for a tape that was silent for %i ms and ended after %i', (silentMs, endMs, options) => {
    expect(toSessionOptions({ subject: TAPE, pace: { ...NO_PACE, silentMs, endMs } })).toBe(options);
  });

  it('waits for a program as replay does, or longer', () => {
    expect(toSessionOptions({ subject: COMMAND, compare: 'asReplay' })).toBe(
      ", { compare: 'asReplay', limitMs: 30_000 }",
    );
    const masks = { ...NO_WORDS, 'ignore-path': ['result.version'] };
    expect(toSessionOptions({ subject: TAPE, compare: 'asReplay', masks })).toBe(
      ", { compare: 'asReplay', masks: { 'ignore-path': ['result.version'] } }",
    );
    const pace = { ...NO_PACE, silentMs: 20_000 };
    expect(toSessionOptions({ subject: COMMAND, pace })).toBe(', { limitMs: 65_000 }');
  });
});

describe('toTestLimit', () => {
  it.each<[number, number, Subject, string | undefined]>([
    [2_500, 5_000, TAPE, undefined],
    [2_501, 5_000, TAPE, '13_000'],
    [0, 5_000, COMMAND, '35_000'],
    [60_000, Number.POSITIVE_INFINITY, COMMAND, undefined],
  ])('of a session of %i ms and a limit of %d', (totalMs, defaultMs, subject, limit) => {
    expect(toTestLimit({ subject, pace: { ...NO_PACE, totalMs } }, defaultMs)).toBe(limit);
  });
});

describe('paceOf', () => {
  it('measures the waits for lines of the server, not those for the client', () => {
    const session = sessionFrom(
      [100, 'in', request],
      [150, 'out', { id: 1, result: {} }],
      [9_000, 'in', { ...request, id: 2 }],
      [9_100, 'out', { method: 'a' }],
      [16_100, 'err', 'working'],
      [16_300, 'out', { id: 2, result: {} }],
      [16_400, 'note', 'standard input closed'],
      [18_000, 'exit', { code: 0, sig: null }],
    );
    expect(paceOf(toSessionIndex(session))).toEqual({ totalMs: 17_900, silentMs: 7_200, endMs: 1_600 });
  });

  it('is nothing for an empty session', () => {
    expect(paceOf(toSessionIndex(sessionFrom()))).toEqual(NO_PACE);
  });
});

describe('longestOf', () => {
  it('takes the longest of each', () => {
    const paces = [
      { totalMs: 1, silentMs: 5, endMs: 0 },
      { totalMs: 3, silentMs: 2, endMs: 1 },
    ];
    expect(longestOf(paces)).toEqual({ totalMs: 3, silentMs: 5, endMs: 1 });
    expect(longestOf([])).toEqual(NO_PACE);
  });
});
