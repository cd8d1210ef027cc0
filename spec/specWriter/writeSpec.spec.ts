import { join } from 'node:path';
import fc from 'fast-check';
import { type Choice, writeSpec } from '../../src/specWriter';
import { toMessageSource, toQuoted, toSource } from '../../src/specWriter/toSource';
import type { Session } from '../../src/tape';
import { recordingOf, serverOf, sessionFrom, sessionOf } from '../support/tapes';
import { runSpec } from '../testing/written';

const options = { name: 'a.jsonl', runner: 'node', subject: { kind: 'tape', path: 'a.jsonl' }, writer: 'w' } as const;
const pathOf = (name: string): string => join(__dirname, '../fixtures/tapes', `${name}.jsonl`);

const textOf = (session: Session, choice: Choice = {}): string => {
  const written = writeSpec(session, choice, options);
  return written.kind === 'spec' ? written.text : written.reason;
};

const marblesIn = (text: string): string[] =>
  text.split('\n').flatMap((line) => /^ +(?:client: |server: )?'(.*)',$/.exec(line)?.[1] ?? []);

describe('writeSpec', () => {
  it('takes a span of time: the greeting, what the client says in it, and the call that made what it refers to', async () => {
    const text = textOf(sessionOf(pathOf('reply-happy')), { fromMs: 60 });
    expect(marblesIn(text)).toEqual(['i-nc-------o------|', '-I--STAGOKC-RENUMB-']);
    expect(text.match(/name: 'codex-reply'/g)).toHaveLength(1);
    expect(text).toContain("arguments: { sessionId: '<uuid 1>', prompt: 'three' }");
    expect(text).toContain("id: 'r3',");
    await runSpec(text, serverOf(recordingOf(pathOf('reply-happy')), 'max', []));
  });

  it('takes one thread of several', async () => {
    const name = 'v142-parallel';
    const text = textOf(sessionOf(pathOf(name)), { thread: '00000000-0000-4000-8000-000000000002' });
    expect(text).toContain('prompt-b');
    expect(text).not.toContain('prompt-a');
    expect(marblesIn(text)).toHaveLength(2);
  });

  it.each<[string, Session, Choice, string]>([
    ['an empty tape', sessionFrom([0, 'note', 'x']), {}, 'the client says nothing; the tape goes from 0 to 0 ms'],
    [
      'a span behind the end',
      sessionOf(pathOf('codex-happy')),
      { fromMs: 9_000, toMs: 9_500 },
      'the client says nothing between 9000 and 9500 ms; the tape goes from 0 to',
    ],
    ['a span before the start', sessionFrom([5, 'in', { method: 'a' }]), { toMs: 4 }, 'says nothing up to 4 ms'],
    ['a thread where there is none', sessionFrom([5, 'in', { method: 'a' }]), { thread: 'x' }, 'it names no thread'],
  ])('says why it writes nothing for %s', (_, session, choice, words) => {
    expect(textOf(session, choice)).toContain(words);
  });

  it('has a letter for each of very many requests at once', async () => {
    const asked = Array.from({ length: 300 }, (_, i): [number, string, object] => [
      i,
      'in',
      { jsonrpc: '2.0', id: i, method: 'ping', params: { i } },
    ]);
    const told = asked.map(([, , message], i): [number, string, object] => [
      400 + i,
      'out',
      { jsonrpc: '2.0', id: (message as { id: number }).id, result: { i } },
    ]);
    const text = textOf(sessionFrom(...asked, ...told));
    const [client, ...others] = marblesIn(text);
    expect(new Set(text.match(/^ {2}(.)(?=: request)/gm)).size).toBe(300);
    expect(Math.max(...[client, ...others].map((line) => line?.length ?? 0))).toBeLessThanOrEqual(90);
  });

  it('ends at | only where the server is known to have ended well', () => {
    const spoken: Parameters<typeof sessionFrom> = [
      [0, 'in', { jsonrpc: '2.0', id: 1, method: 'ping' }],
      [1, 'out', { jsonrpc: '2.0', id: 1, result: {} }],
      [2, 'note', 'standard input closed'],
    ];
    expect(marblesIn(textOf(sessionFrom(...spoken)))).toEqual(['p-|', '-P-']);
    expect(marblesIn(textOf(sessionFrom(...spoken, [3, 'exit', '{"code":0,"sig":null}'])))).toEqual(['p-|', '-P-|']);
    expect(marblesIn(textOf(sessionFrom(...spoken, [3, 'exit', '{"code":1,"sig":null}'])))).toEqual(['p-|', '-P-']);
  });
});

describe('toSource', () => {
  it('is JavaScript of the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const plain: unknown = JSON.parse(JSON.stringify(value)); // -0 has no word in JSON
        expect(new Function(`return (${toSource(plain, 0)})`)()).toEqual(plain);
      }),
    );
  });

  it('quotes any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) =>
        expect(new Function(`return ${toQuoted(text)}`)()).toBe(text),
      ),
    );
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
