import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import type { Recording } from '../../../src/tapes/specWriter/pairLines';
import { writeLearnedSpec } from '../../../src/tapes/specWriter/writeLearnedSpec';
import type { Server } from '../../../src/testing/server';
import { serverOf, sessionFrom } from '../../support/tapes';
import { runSpec } from '../../testing/written';

const options = { name: 'a, b', runner: 'node', subject: { kind: 'tape', path: 'a.jsonl' }, writer: 'w' } as const;

type Note = { id: string; row: number; title: string };

/** A client creates a note and reads it by what the server gave it. */
const recordingOf = (name: string, { id, row, title }: Note, read: object = { id, row, title }): Recording => ({
  name,
  index: toSessionIndex(
    sessionFrom(
      [0, 'in', { jsonrpc: '2.0', id: 0, method: 'create', params: { title } }],
      [1, 'out', { jsonrpc: '2.0', id: 0, result: { id, row, text: `made ${id} in row ${row}` } }],
      [2, 'in', { jsonrpc: '2.0', id: 1, method: 'read', params: { id, row } }],
      [3, 'out', { jsonrpc: '2.0', id: 1, result: read }],
    ),
  ),
});

const A = recordingOf('a.jsonl', { id: 'n-1a', row: 7, title: 'Milk' });
const B = recordingOf('b.jsonl', { id: 'n-2b', row: 8, title: 'Milk' });

const written = (...recordings: Recording[]): string => {
  const spec = writeLearnedSpec(recordings, options);
  return spec.kind === 'spec' ? spec.text : spec.reason;
};

const play = ({ index }: Recording): Server => serverOf(index, 'max', []);

describe('writeLearnedSpec', () => {
  it('writes what the server issues as holes, and what the client sends back as the same', () => {
    expect(written(A, B).split('\n').slice(8, 13)).toEqual([
      "  c: request('create', { title: 'Milk' }),",
      "  C: answer('c', { id: '<string $id>', row: '<number $row>', text: 'made <string $id> in row <number $row>' }),",
      "  r: request('read', { id: '<string $id>', row: '<number $row>' }),",
      "  R: answer('r', { id: '<string $id>', row: '<number $row>', title: 'Milk' }),",
      '};',
    ]);
  });

  it.each([
    ['the first', A],
    ['the second', B],
    ['another', recordingOf('c.jsonl', { id: 'n-3c', row: 9, title: 'Milk' })],
  ])('writes a spec that passes on the server of %s recording', async (_, recording) => {
    await expect(runSpec(written(A, B), play(recording))).resolves.toBeUndefined();
  });

  it.each([
    [
      'a value outside of a hole',
      { id: 'n-3c', row: 9, title: 'Bread' },
      /result\.title: expected "Milk", actual "Bread"/,
    ],
    ['an id that is not the one before', { id: 'n-4d', row: 9, title: 'Milk' }, /result\.id: expected "<string \$id>"/],
    ['another kind', { id: 'n-3c', row: '9', title: 'Milk' }, /result\.row: expected "<number \$row>", actual "9"/],
  ])('writes a spec that fails on %s', async (_, read, words) => {
    const changed = recordingOf('c.jsonl', { id: 'n-3c', row: 9, title: 'Milk' }, read);
    await expect(runSpec(written(A, B), play(changed))).rejects.toThrow(words);
  });

  it.each([
    [
      'another shape',
      recordingOf('b.jsonl', { id: 'n-2b', row: 8, title: 'Milk' }, { id: 'n-2b', row: 8 }),
      'the recordings have different shapes: a.jsonl:4 is response of the server to read: ' +
        'message.result has title, in b.jsonl:4 it has no title; record the same behaviour in each, or leave one out',
    ],
    [
      'other lines',
      { name: 'b.jsonl', index: toSessionIndex(sessionFrom([0, 'in', { id: 0, method: 'delete' }])) },
      'the recordings have different lines: a.jsonl:1 is create of the client; b.jsonl:1 is delete of the client; ' +
        'record the same behaviour in each, or leave one out',
    ],
  ])('reports %s', (_, recording, reason) => {
    expect(written(A, recording)).toBe(reason);
  });

  it('writes what the client sent as in the first recording', async () => {
    const milk = recordingOf('a.jsonl', { id: 'n-1a', row: 7, title: 'Milk 2026' });
    const text = written(milk, recordingOf('b.jsonl', { id: 'n-2b', row: 8, title: 'Milk 2027' }));
    expect(text).not.toContain('$title');
    await expect(runSpec(text, play(milk))).resolves.toBeUndefined();
  });
});
