import * as fc from 'fast-check';
import { mayBePiece, pieceOf, spread } from '../../../src/tapes/format/redactPieces';
import { redactTape } from '../../../src/tapes/format/redactTape';
import type { TapeItem } from '../../../src/tapes/format/tape';

const SECRET = ['ghp', '_0123456789', 'abcdefABCDEF'].join('');
const item = (lineNumber: number, line: object): TapeItem => ({
  kind: 'entry',
  lineNumber,
  entry: { t: 1, dir: 'out', line: JSON.stringify(line) },
});
const delta = (itemId: string, text: string) => ({
  method: 'item/agentMessage/delta',
  params: { itemId, delta: text },
});
const output = (processId: string, seq: number, text: string) => ({
  method: 'process/output',
  params: { processId, seq, stream: 'stdout', chunk: Buffer.from(text).toString('base64') },
});
const linesOf = (items: readonly TapeItem[]) =>
  items.flatMap((one) => (one.kind === 'entry' ? [JSON.parse(one.entry.line)] : []));

describe('redactPieces', () => {
  it('removes a secret that deltas of two messages split, each in its own', () => {
    const [a, b, c] = [SECRET.slice(0, 2), SECRET.slice(2, 9), SECRET.slice(9)];
    const lines = [delta('i', `use ${a}`), delta('j', 'no'), delta('i', b), delta('j', 'ne'), delta('i', `${c}!`)];
    const { items, removed } = redactTape(
      lines.map((line, i) => item(i + 2, line)),
      [],
    );
    expect(linesOf(items)).toEqual([
      delta('i', 'use [redacted]'),
      delta('j', 'no'),
      delta('i', ''),
      delta('j', 'ne'),
      delta('i', '!'),
    ]);
    expect(removed).toEqual([{ lineNumber: 2, kind: 'GitHub token' }]);
  });

  it('removes one from the output of a process, and known values', () => {
    const known = 'a-value-of-mine';
    const lines = [output('p', 1, `${SECRET.slice(0, 8)}`), output('p', 2, `${SECRET.slice(8)}\n${known.slice(0, 5)}`)];
    const { items } = redactTape(
      [...lines, output('p', 3, known.slice(5))].map((line, i) => item(i + 2, line)),
      [known],
    );
    expect(linesOf(items)).toEqual([output('p', 1, '[redacted]'), output('p', 2, '\n[redacted]'), output('p', 3, '')]);
  });

  it('leaves deltas without secrets as they were written', () => {
    const items = [item(2, delta('i', 'a')), item(3, delta('i', 'b'))];
    expect(redactTape(items, []).items.slice(-2)).toEqual(items);
  });
});

const hide = (text: string): string => text.replaceAll(/KEY\d+/g, '[redacted]');
const placesIn = (text: string) =>
  Array.from(text.matchAll(/KEY\d+/g), ({ 0: all, index }) => ({ from: index, to: index + all.length, kind: 'key' }));

describe('spread', () => {
  it.each<[readonly string[], readonly string[]]>([
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
    [
      ['it is K', 'E', 'Y1', '2. So'],
      ['it is [redacted]', '', '', '. So'],
    ],
    [
      ['KEY1', ' and'],
      ['[redacted]', ' and'],
    ],
    [
      ['x ', 'KEY1'],
      ['x ', '[redacted]'],
    ],
    [
      ['x', '', 'KE', 'Y1 y KEY', '2', ' z'],
      ['x', '', '[redacted]', ' y [redacted]', '', ' z'],
    ],
  ])('redacts %j', (pieces, expected) => {
    expect(spread(pieces, placesIn(pieces.join('')))).toEqual(expected);
  });

  it('keeps the number of pieces, and makes the redacted text of them', () => {
    const piece = fc.string({ unit: fc.constantFrom('K', 'E', 'Y', '1', 'x', ' '), maxLength: 4 });
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const result = spread(pieces, placesIn(pieces.join('')));
        expect(result).toHaveLength(pieces.length);
        expect(result.join('')).toBe(hide(pieces.join('')));
      }),
    );
  });
});

describe('pieceOf', () => {
  it.each<[string, unknown, string]>([
    ['a notification', { method: 'item/agentMessage/delta', params: { itemId: 'i', delta: 'a' } }, 'a'],
    ['an event', { method: 'codex/event', params: { msg: { type: 'agent_message_delta', delta: 'a' } } }, 'a'],
    ['an event of a model', { type: 'response.output_text.delta', sequence_number: 3, delta: 'a' }, 'a'],
    ['arguments of Anthropic', { type: 'content_block_delta', delta: { type: 'x', partial_json: 'a' } }, 'a'],
    ['thoughts of Anthropic', { type: 'content_block_delta', delta: { type: 'x', thinking: 'a' } }, 'a'],
    [
      'a chunk of an agent of an editor',
      {
        method: 'session/update',
        params: { update: { sessionUpdate: 'agent_message_chunk', content: { text: 'a' } } },
      },
      'a',
    ],
    [
      'output of a command of such an agent',
      {
        method: 'session/update',
        params: {
          update: {
            sessionUpdate: 'tool_call_update',
            _meta: { terminal_output_delta: { data: 'a', terminal_id: 't' } },
          },
        },
      },
      'a',
    ],
    ['a chunk of a completion', { choices: [{ index: 0, delta: { content: 'a' } }] }, 'a'],
    ['output of a process', { method: 'process/output', params: { processId: 'p', seq: 2, chunk: 'YQ==' } }, 'a'],
    [
      'output of a command',
      { method: 'codex/event', params: { msg: { type: 'exec_command_output_delta', chunk: 'YQ==' } } },
      'a',
    ],
  ])('finds the piece of %s', (_, message, text) => {
    const piece = pieceOf(message);
    expect(piece?.text).toBe(text);
    expect(pieceOf(piece?.put('b'))).toMatchObject({ text: 'b', key: piece?.key });
    expect(piece?.put(text)).toEqual(message);
  });

  it('gives pieces of one text one key, whatever is counted', () => {
    const message = (seq: number, processId: string) => ({
      method: 'process/output',
      params: { processId, seq, chunk: 'YQ==' },
    });
    const keyOf = (seq: number, id: string) => pieceOf(message(seq, id))?.key;
    expect(keyOf(1, 'p')).toBe(keyOf(2, 'p'));
    expect(keyOf(1, 'p')).not.toBe(keyOf(1, 'q'));
  });

  it('gives the texts of two calls two keys', () => {
    const msg = { type: 'agent_message_delta', delta: 'a' };
    const keyOf = (requestId: number) => pieceOf({ method: 'codex/event', params: { _meta: { requestId }, msg } })?.key;
    expect(keyOf(1)).toBe(keyOf(1));
    expect(keyOf(1)).not.toBe(keyOf(2));
  });

  it.each([
    { method: 'item/completed', params: { text: 'a' } },
    { delta: 1 },
    {
      params: { update: { sessionUpdate: 'agent_message_chunk', content: { data: 'AAAA', mimeType: 'image/png' } } },
    },
    'delta',
    null,
    [],
    { result: { content: 'a' } },
  ])('finds none in %j', (message) => {
    expect(pieceOf(message)).toBeUndefined();
  });
});

describe('mayBePiece', () => {
  it.each([
    ['{"method":"item/agentMessage/delta"}', true],
    ['{"type":"agent_message_Delta"}', true],
    ['{"method":"process/output"}', true],
    ['{"method":"process\\/output"}', true],
    ['{"method":"\\u0064elta"}', true],
    ['{"method":"tools/call"}', false],
  ])('of %s is %s', (line, expected) => {
    expect(mayBePiece(line)).toBe(expected);
  });
});
