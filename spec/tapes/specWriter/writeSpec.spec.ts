import { join } from 'node:path';
import type { Session } from '../../../src/tapes/format/tape';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import type { Recording } from '../../../src/tapes/specWriter/pairRecordings';
import type { Selection } from '../../../src/tapes/specWriter/selectLines';
import { writeLearnedSpec, writeSpec } from '../../../src/tapes/specWriter/writeSpec';
import type { Server } from '../../../src/testing/server';
import { indexOf, serverOf, sessionFrom, sessionOf } from '../../support/tapes';
import { runSpec } from '../../testing/written';

const options = { name: 'a.jsonl', runner: 'node', subject: { kind: 'tape', path: 'a.jsonl' }, writer: 'w' } as const;
const pathOf = (name: string): string => join(__dirname, '../../fixtures/tapes', `${name}.jsonl`);

const textOf = (session: Session, selection: Selection = {}): string => {
  const written = writeSpec(toSessionIndex(session), selection, options);
  return written.kind === 'spec' ? written.text : written.reason;
};

const marblesIn = (text: string): string[] =>
  text.split('\n').flatMap((line) => /^ +(?:client: |server: )?'(.*)',$/.exec(line)?.[1] ?? []);

describe('writeSpec', () => {
  it('writes a span of time: the handshake, what the client sends in it, and the call that created what it refers to', async () => {
    const text = textOf(sessionOf(pathOf('reply-happy')), { fromMs: 60 });
    expect(marblesIn(text)).toEqual(['i-nc-------o------|', '-I--STAGOKC-RENUMB-']);
    expect(text.match(/name: 'codex-reply'/g)).toHaveLength(1);
    expect(text).toContain("arguments: { sessionId: '<uuid 1>', prompt: 'three' }");
    expect(text).toContain("id: 'r3',");
    await runSpec(text, serverOf(indexOf(pathOf('reply-happy')), 'max', []));
  });

  it('writes one thread of several', async () => {
    const name = 'v142-parallel';
    const text = textOf(sessionOf(pathOf(name)), { thread: '00000000-0000-4000-8000-000000000002' });
    expect(text).toContain('prompt-b');
    expect(text).not.toContain('prompt-a');
    expect(marblesIn(text)).toHaveLength(2);
  });

  it.each<[string, Session, Selection, string]>([
    ['an empty tape', sessionFrom([0, 'note', 'x']), {}, 'the client sends nothing; the tape goes from 0 to 0 ms'],
    [
      'a span behind the end',
      sessionOf(pathOf('codex-happy')),
      { fromMs: 9_000, toMs: 9_500 },
      'the client sends nothing between 9000 and 9500 ms; the tape goes from 0 to',
    ],
    ['a span before the start', sessionFrom([5, 'in', { method: 'a' }]), { toMs: 4 }, 'sends nothing up to 4 ms'],
    ['a thread where there is none', sessionFrom([5, 'in', { method: 'a' }]), { thread: 'x' }, 'it names no thread'],
  ])('gives the reason why it writes nothing for %s', (_, session, selection, reason) => {
    expect(textOf(session, selection)).toContain(reason);
  });

  it('writes the thread of an app-server, which names it as the id of an object', () => {
    const id = '00000000-0000-7000-8000-000000000001';
    const session = sessionFrom(
      [0, 'in', { id: 0, method: 'thread/start', params: {} }],
      [1, 'out', { id: 0, result: { thread: { id } } }],
      [2, 'in', { id: 1, method: 'model/list', params: {} }],
      [3, 'out', { id: 1, result: {} }],
      [4, 'in', { id: 2, method: 'turn/start', params: { threadId: id } }],
      [5, 'out', { id: 2, result: {} }],
    );
    const text = textOf(session, { thread: id });
    expect(marblesIn(text)).toEqual(['s-t-', '-S-T']);
    expect(text).not.toContain('model/list');
  });

  it('has a letter for each of very many requests at once', async () => {
    const asked = Array.from({ length: 300 }, (_, i): [number, string, object] => [
      i,
      'in',
      { jsonrpc: '2.0', id: i, method: 'ping', params: { i } },
    ]);
    const answered = asked.map(([, , message], i): [number, string, object] => [
      400 + i,
      'out',
      { jsonrpc: '2.0', id: (message as { id: number }).id, result: { i } },
    ]);
    const text = textOf(sessionFrom(...asked, ...answered));
    const [client, ...others] = marblesIn(text);
    expect(new Set(text.match(/^ {2}(.)(?=: request)/gm)).size).toBe(300);
    expect(Math.max(...[client, ...others].map((line) => line?.length ?? 0))).toBeLessThanOrEqual(90);
  });

  it('ends at | only if the server exited with code 0 by itself', () => {
    const lines: Parameters<typeof sessionFrom> = [
      [0, 'in', { jsonrpc: '2.0', id: 1, method: 'ping' }],
      [1, 'out', { jsonrpc: '2.0', id: 1, result: {} }],
      [2, 'note', 'standard input closed'],
    ];
    expect(marblesIn(textOf(sessionFrom(...lines)))).toEqual(['p-|', '-P-']);
    expect(marblesIn(textOf(sessionFrom(...lines, [3, 'exit', '{"code":0,"sig":null}'])))).toEqual(['p-|', '-P-|']);
    expect(marblesIn(textOf(sessionFrom(...lines, [3, 'exit', '{"code":1,"sig":null}'])))).toEqual(['p-|', '-P-']);
    const signal = [3, 'note', 'signal SIGTERM'] as const;
    const exit = [4, 'exit', '{"code":0,"sig":null}'] as const;
    expect(marblesIn(textOf(sessionFrom(...lines, [...signal], [...exit])))).toEqual(['p-|', '-P-']);
  });
});

describe('writeLearnedSpec', () => {
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

  it('writes what the server issues as holes, and what the client sends back as the same', () => {
    expect(written(A, B).split('\n').slice(9, 14)).toEqual([
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
