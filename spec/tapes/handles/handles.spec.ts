import { type Candidate, candidatesIn, isDescription, keysOf, toHandles } from '../../../src/tapes/handles/handles';
import type { Leaf } from '../../../src/tapes/handles/handleTexts';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';

const call = (id: number, given: object) => ({ id, method: 'tools/call', params: { name: 't', arguments: given } });
const result = (id: number, value: object) => ({ id, result: value });
const text = (line: string) => ({ content: [{ type: 'text', text: line }] });

/** The keys of the handles of a session in which the server sends `issued` and the client then `sent`. */
const handleKeysOf = (issued: object, sent: object): string[] => [
  ...toHandles(
    toSessionIndex(sessionFrom([0, 'in', call(1, {})], [1, 'out', result(1, issued)], [2, 'in', call(2, sent)])),
  ).keys(),
];

describe('toHandles', () => {
  it.each(['tools/call', 'prompts/get'])(
    'takes the name in %s for no handle, unlike one in another method',
    (method) => {
      const named = (own: string) => ({ id: 2, method: own, params: { name: 'sess_aca5a191e065' } });
      const keysIn = (own: string) => [
        ...toHandles(
          toSessionIndex(
            sessionFrom(
              [0, 'in', call(1, {})],
              [1, 'out', result(1, text('opened sess_aca5a191e065.'))],
              [2, 'in', named(own)],
            ),
          ),
        ).keys(),
      ];
      expect(keysIn(method)).toEqual([]);
      expect(keysIn('sessions/end')).toEqual(['sess_aca5a191e065']);
    },
  );

  it('finds the handles of a debug adapter', () => {
    const asked = (seq: number, command: string, given: object) => ({
      seq,
      type: 'request',
      command,
      arguments: given,
    });
    const body = { threads: [{ id: 28_503, name: 'main' }], variablesReference: 5 };
    const answer = { seq: 2, type: 'response', request_seq: 1, success: true, command: 'threads', body };
    const plain = { jsonrpc: undefined };
    const session = sessionFrom(
      [0, 'in', { ...asked(1, 'threads', {}), ...plain }],
      [1, 'out', { ...answer, ...plain }],
      [2, 'in', { ...asked(2, 'stackTrace', { threadId: 28_503, variablesReference: 5 }), ...plain }],
    );
    expect([...toHandles(toSessionIndex(session)).keys()]).toEqual(['28503', '= 5']);
  });

  it.each<[string, object, object, string[]]>([
    [
      'a UUID in a text',
      text('id 0a1b2c3d-0000-4000-8000-000000000001'),
      { thread: '0a1b2c3d-0000-4000-8000-000000000001' },
      ['0a1b2c3d-0000-4000-8000-000000000001'],
    ],
    ['hex', text('opened sess_aca5a191e065.'), { session: 'sess_aca5a191e065' }, ['sess_aca5a191e065']],
    [
      'a ULID',
      { taskId: '01ARZ3NDEKTSV4RRFFQ69G5FAV' },
      { taskId: '01ARZ3NDEKTSV4RRFFQ69G5FAV' },
      ['01ARZ3NDEKTSV4RRFFQ69G5FAV'],
    ],
    ['a short text in a member for handles', { sessionId: 'a' }, { sessionId: 'a' }, ['= a']],
    ['a number in a member for handles', { pid: 7 }, { pid: 7 }, ['= 7']],
    ['a number in a text', text('started with PID 4711'), { pid: 4711 }, ['4711']],
    ['random letters that the server names', { id: 'GlRZtPutQyGe' }, { of: 'GlRZtPutQyGe' }, ['GlRZtPutQyGe']],
    ['random letters that the client names', text('is GlRZtPutQyGe.'), { id: 'GlRZtPutQyGe' }, ['GlRZtPutQyGe']],
    ['a number that only the server names', { handle: 47_672 }, { of: 47_672 }, ['47672']],
    ['a number of a file', { fd: 3 }, { fd: 3 }, ['= 3']],
    ['what joints surround', text('Opened V1StG_.'), { id: 'V1StG_' }, ['V1StG_']],
    ['a temporary folder', { at: '/tmp/run-AbCdEf' }, { file: '/tmp/run-AbCdEf/a' }, ['run-AbCdEf']],
    ['a handle within a URI', { uri: 'log://s4f9a2c/out' }, { of: 's4f9a2c' }, ['s4f9a2c']],
  ])('finds %s', (_, issued, sent, keys) => {
    expect(handleKeysOf(issued, sent)).toEqual(keys);
  });

  it.each<[string, object, object]>([
    ['a word', { name: 'weather' }, { name: 'weather' }],
    ['random letters that nobody names', { a: 'GlRZtPutQyGe' }, { b: 'GlRZtPutQyGe' }],
    ['a URI', { uri: 'book://v1/one' }, { uri: 'book://v1/one' }],
    ['a number in another member', { count: 200 }, { limit: 200 }],
    ['a date', text('2026-11-22'), { day: '2026-11-22' }],
    ['what the client does not send', text('sess_aca5a191e065'), { session: 'other_1234' }],
    ['the name of a request', { _meta: { progressToken: 'abc12345' } }, { _meta: { progressToken: 'abc12345' } }],
  ])('passes over %s', (_, issued, sent) => {
    expect(handleKeysOf(issued, sent)).toEqual([]);
  });

  it('passes over what the client sent first', () => {
    const index = toSessionIndex(
      sessionFrom(
        [0, 'in', call(1, { id: 'mine1234' })],
        [1, 'out', result(1, { id: 'mine1234' })],
        [2, 'in', call(2, { id: 'mine1234' })],
      ),
    );
    expect([...toHandles(index)]).toEqual([]);
  });

  it.each([
    ['tools/list', { tools: [{ name: 'echo2025', inputSchema: { enum: ['model-4x'] } }] }],
    ['server/discover', { instructions: 'use model-4x', echo2025: 'echo2025' }],
  ])('passes over the names of tools, and what the result of %s describes', (method, described) => {
    const index = toSessionIndex(
      sessionFrom(
        [0, 'in', { id: 1, method }],
        [1, 'out', result(1, { ...described, nextCursor: 'page-2abc' })],
        [2, 'in', { id: 2, method, params: { cursor: 'page-2abc' } }],
        [3, 'out', result(2, { note: 'call echo2025' })],
        [4, 'in', { id: 3, method: 'tools/call', params: { name: 'echo2025', arguments: { model: 'model-4x' } } }],
      ),
    );
    expect([...toHandles(index).keys()]).toEqual(['page-2abc']);
  });

  it('names a handle by the client line that it was issued for', () => {
    const index = toSessionIndex(
      sessionFrom(
        [0, 'in', call(1, {})],
        [0, 'in', call(2, {})],
        [1, 'out', result(2, { id: 'b-111111' })],
        [2, 'out', result(1, { id: 'a-222222' })],
        [3, 'in', call(3, { ids: ['a-222222', 'b-111111'] })],
      ),
    );
    expect([...toHandles(index)]).toEqual([
      ['b-111111', { id: 0, origin: '1.0' }],
      ['a-222222', { id: 1, origin: '0.0' }],
    ]);
  });
});

describe('isDescription', () => {
  it.each([
    ['initialize', true],
    ['server/discover', true],
    ['tools/list', true],
    ['tools/call', false],
    ['resources/list', false],
  ])('of the response to %s is %s', (method, expected) => {
    const index = toSessionIndex(sessionFrom([0, 'in', { id: 1, method }], [1, 'out', { id: 1, result: {} }]));
    expect(index.serverLines.map((line) => isDescription(index, line))).toEqual([expected]);
  });

  it('is false for what belongs to no request', () => {
    const index = toSessionIndex(sessionFrom([0, 'in', { id: 1, method: 'tools/list' }], [1, 'out', { method: 'x' }]));
    expect(index.serverLines.map((line) => isDescription(index, line))).toEqual([false]);
  });
});

const leaf = (text: string | number, isNamed = false): Leaf => ({
  text: String(text),
  name: 'a',
  isNumber: typeof text === 'number',
  isNamed,
});

const sure = (key: string): Candidate => ({ key, isSure: true });

const maybe = (key: string): Candidate => ({ key, isSure: false });

describe('candidatesIn', () => {
  it.each<[string, Leaf, Candidate[]]>([
    ['nothing', leaf('', true), []],
    ['a short text in a member for handles', leaf('a', true), [sure('= a')]],
    ['a word in a member for handles', leaf('default', true), [sure('= default')]],
    ['random letters in a member for handles', leaf('sess_GlRZtPutQyGe', true), [sure('sess_GlRZtPutQyGe')]],
    ['random letters elsewhere', leaf('sess_GlRZtPutQyGe'), [maybe('sess_GlRZtPutQyGe')]],
    ['a word elsewhere', leaf('weather'), []],
    ['a name of several words', leaf('getWeatherOf'), [maybe('getWeatherOf')]],
    ['letters and digits', leaf('sess_1'), [sure('sess_1'), sure('sess_1')]],
    ['a text with spaces', leaf('with 1 space'), []],
    ['a date', leaf('2026-01-02'), []],
    ['a number in a member for handles', leaf(12, true), [sure('= 12')]],
    ['a longer one', leaf(123, true), [sure('123')]],
    ['a number elsewhere', leaf(123), []],
    ['a longer one', leaf(4711), [maybe('4711')]],
    ['a hex id that has no letter', leaf('42420644'), [sure('42420644'), maybe('42420644')]],
    ['a text that is a short number', leaf('4242064'), [maybe('4242064'), maybe('4242064')]],
    ['a number in a text', leaf('PID 4711, 12'), [maybe('4711')]],
    ['a URI', leaf('book://v1/one'), []],
    ['what a URI holds', leaf('log://s4f9a2c/4711/out'), [sure('s4f9a2c'), sure('4711')]],
    ['a temporary path', leaf('/tmp/run-AbCdEf/out'), [sure('/tmp/run-AbCdEf/out'), sure('run-AbCdEf')]],
    ['joints around', leaf('V1StG_'), [sure('V1StG_'), sure('V1StG_')]],
  ])('finds %s', (_, value, candidates) => {
    expect(candidatesIn(value, [])).toEqual(candidates);
  });

  it.each(['x', '1', 'aB', '_'])('finds no handle in a word of megabytes, and does not fail: %s', (piece) => {
    const text = piece.repeat(20_000_000 / piece.length);
    expect([leaf(text), leaf(text, true), leaf(`x ${text}`)].flatMap((one) => candidatesIn(one, []))).toEqual([]);
  });

  it('finds the words that it is given', () => {
    expect(candidatesIn(leaf('Opened GlRZtPut.'), ['GlRZtPut', 'other'])).toEqual([maybe('GlRZtPut')]);
  });
});

describe('keysOf', () => {
  it.each<[Leaf, string[]]>([
    [leaf('a', true), ['a', '= a']],
    [leaf('a'), ['a']],
    [leaf(123, true), ['123', '= 123']],
    [leaf(123), []],
    [leaf(4711), ['4711']],
  ])('of %j is %j', (value, keys) => {
    expect(keysOf(value)).toEqual(keys);
  });
});
