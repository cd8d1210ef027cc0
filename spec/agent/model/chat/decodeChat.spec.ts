import { decodeChat } from '../../../../src/agent/model/chat/decodeChat';
import { ModelError } from '../../../../src/protocol/model/model';
import { marbles } from '../../../support/marbles';
import { completed, item, messageOf, text } from '../../../support/models';

const chunk = (delta: object, finish_reason: string | null = null, own: object = {}) =>
  JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason }], ...own });
const calls = (...tool_calls: object[]) => chunk({ tool_calls });
const piece = (index: number | undefined, id: string | undefined, name: string | undefined, args: string) => ({
  index,
  id,
  function: { name, arguments: args },
});
const usage = { prompt_tokens: 3, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 2 } };

const data = {
  a: chunk({ role: 'assistant', content: 'Hel' }),
  b: chunk({ content: 'lo' }),
  n: chunk({ content: null }),
  f: chunk({}, 'stop'),
  l: chunk({}, 'length'),
  t: chunk({}, 'tool_calls'),
  g: chunk({}, 'stop', { usage }),
  u: JSON.stringify({ id: 'c', choices: [], usage }),
  d: '[DONE]',
  x: '{nope',
  p: JSON.stringify({ error: { message: 'overloaded', code: 503 } }),
  q: JSON.stringify({ error: 'plain words' }),
  r: JSON.stringify({ error: { code: 'context_length_exceeded', message: 'too long' } }),
};

const call = (call_id: string, args: string, name = 'shell') =>
  item({ type: 'function_call', name, arguments: args, call_id });

const emitted = {
  A: text('Hel'),
  B: text('lo'),
  M: item(messageOf('assistant', 'Hello')),
  H: item(messageOf('assistant', 'Hel')),
  C: completed('c'),
  U: completed('c', {
    input_tokens: 3,
    cached_input_tokens: 2,
    output_tokens: 1,
    reasoning_output_tokens: null,
    total_tokens: 4,
  }),
};

const decode = () => decodeChat({ newId: () => 'call_new' });

describe('decodeChat', () => {
  it(
    'emits the text as it comes, and the message at [DONE]',
    marbles(({ hot, expectObservable }) => {
      const data$ = hot('  -anb-f-d--', data);
      const expected = '   -A-B---(MC|)';
      expectObservable(data$.pipe(decode())).toBe(expected, emitted);
    }),
  );

  it(
    'emits a reasoning item for thoughts alone, and what the model refuses as its message',
    marbles(({ hot, expectObservable }) => {
      const own = { ...data, h: chunk({ reasoning_content: 'hm' }), o: chunk({ content: null, refusal: 'No' }) };
      const values = {
        ...emitted,
        H: { kind: 'rawReasoning', itemId: '', delta: 'hm' },
        N: text('No'),
        R: item({ type: 'reasoning', id: '', summary: [], encrypted_content: null }),
        O: item(messageOf('assistant', 'No')),
        A: item(messageOf('assistant', 'lo')),
      };
      expectObservable(hot('-h-f-d--', own).pipe(decode())).toBe('-H---(RC|)', values);
      expectObservable(hot('-o-f-d--', own).pipe(decode())).toBe('-N---(OC|)', values);
      expectObservable(hot('-h-b-f-d', own).pipe(decode())).toBe('-H-B---(AC|)', values);
    }),
  );

  it(
    'completes at the usage, beside the finish or after it',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const after$ = hot(' -abf-u--', data);
      expectObservable(after$.pipe(decode())).toBe('-AB--(MU|)', emitted);
      expectSubscriptions(after$.subscriptions).toBe('^----!');
      expectObservable(hot('-abg---', data).pipe(decode())).toBe('-AB(MU|)', emitted);
    }),
  );

  it(
    'completes at the end of the stream, even if it breaks off after the finish, or a second after that',
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('-abf|', data).pipe(decode())).toBe('-AB-(MC|)', emitted);
      expectObservable(hot('-abfx---', data).pipe(decode())).toBe('-AB- 1s (MC|)', emitted);
      expectObservable(hot('-abf#', data).pipe(decode())).toBe('-AB-(MC|)', emitted);
    }),
  );

  it(
    'takes [DONE] without a finish for the end',
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('-ad', data).pipe(decode())).toBe('-A(HC|)', emitted);
      expectObservable(hot('-d', data).pipe(decode())).toBe('-(EC|)', { E: { kind: 'nothing' }, C: completed() });
    }),
  );

  it(
    'errors after the message of an answer that the server cuts off, and drops its calls',
    marbles(({ hot, expectObservable }) => {
      const values = { ...data, c: calls(piece(0, 'a', 'shell', '{"comm')), w: chunk({}, 'content_filter') };
      const cut = (reason: string) => new ModelError(`Incomplete response returned, reason: ${reason}`, false);
      expectObservable(hot('-ald', values).pipe(decode())).toBe('-A(H#)', emitted, cut('length'));
      expectObservable(hot('-cl', values).pipe(decode())).toBe('--#', emitted, cut('length'));
      expectObservable(hot('-w', values).pipe(decode())).toBe('-#', emitted, cut('content_filter'));
    }),
  );

  it(
    'errors, retryable, when the stream ends without either',
    marbles(({ hot, expectObservable }) => {
      const closed = new ModelError(
        'stream disconnected before completion: stream closed before finish_reason or [DONE]',
        true,
      );
      expectObservable(hot('--|', data).pipe(decode())).toBe('--#', emitted, closed);
      expectObservable(hot('-a|', data).pipe(decode())).toBe('-A#', emitted, closed);
    }),
  );

  it(
    'emits an error object of the stream',
    marbles(({ hot, expectObservable }) => {
      const broken = (message: string) => new ModelError(`stream disconnected before completion: ${message}`, true);
      expectObservable(hot('ap', data).pipe(decode())).toBe('A#', emitted, broken('overloaded'));
      expectObservable(hot('aq', data).pipe(decode())).toBe('A#', emitted, broken('plain words'));
      expectObservable(hot('ar', data).pipe(decode())).toBe('A#', emitted, new ModelError('too long', false));
    }),
  );

  it(
    'waits on silence, passes errors on, stops when nobody listens',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      expectObservable(hot('---', data).pipe(decode())).toBe('---');
      expectObservable(hot('-a-#', data).pipe(decode())).toBe('-A-#', emitted);
      const data$ = hot('-a-b', data);
      expectObservable(data$.pipe(decode()), '--!').toBe('-A', emitted);
      expectSubscriptions(data$.subscriptions).toBe('^-!');
    }),
  );

  it(
    'emits reasoning of all spellings as raw reasoning',
    marbles(({ hot, expectObservable }) => {
      const values = {
        a: chunk({ reasoning_content: '1' }),
        b: chunk({ reasoning: '2' }),
        c: chunk({ reasoning: { text: '3' } }),
        d: chunk({ reasoning: { content: '4' }, reasoning_content: '', content: '!' }),
      };
      const raw = (delta: string) => ({ kind: 'rawReasoning', itemId: '', delta });
      const expected = { A: raw('1'), B: raw('2'), C: raw('3'), D: raw('4'), E: text('!') };
      expectObservable(hot('abcd', values).pipe(decode())).toBe('ABC(DE)', expected);
    }),
  );

  const parallel: [string, string[], ReturnType<typeof call>[]][] = [
    [
      'whole, in one chunk',
      [calls(piece(0, 'a', 'shell', '{1}'), piece(1, 'b', 'plan', '{2}'))],
      [call('a', '{1}'), call('b', '{2}', 'plan')],
    ],
    [
      'in pieces, by index',
      [
        calls(piece(0, 'a', 'shell', '')),
        calls(piece(1, 'b', 'shell', '{')),
        calls(piece(0, undefined, undefined, '{1}')),
        calls(piece(1, 'b', 'shell', '2}')),
      ],
      [call('a', '{1}'), call('b', '{2}')],
    ],
    [
      'all under index 0, by id',
      [calls(piece(0, 'a', 'shell', '{1}')), calls(piece(0, 'b', 'shell', '{2')), calls(piece(0, '', undefined, '}'))],
      [call('a', '{1}'), call('b', '{2}')],
    ],
    [
      'without an index, by what was last',
      [calls(piece(undefined, 'a', 'shell', '{')), calls(piece(undefined, undefined, undefined, '1}'))],
      [call('a', '{1}')],
    ],
    [
      'without an id, arguments or sense',
      [calls(piece(0, '', 'now', ''), 7 as never)],
      [call('call_new', '{}', 'now')],
    ],
    [
      'with a name and id that come later',
      [calls({ index: 0 }), calls(piece(0, 'a', 'shell', '{}'))],
      [call('a', '{}')],
    ],
  ];
  it.each(parallel)('puts calls together that come %s', (_, chunks, expected) => {
    marbles(({ cold, expectObservable }) => {
      const letters = Object.fromEntries(chunks.map((one, n) => [String(n), one]));
      const data$ = cold(`(a${Object.keys(letters).join('')}t)`, { ...data, ...letters });
      const items = Object.fromEntries(expected.map((one, n) => [String(n), one]));
      const marble = `A 999ms (H${expected.map((_, n) => n).join('')}C|)`;
      expectObservable(data$.pipe(decode())).toBe(marble, { ...emitted, ...items });
    })();
  });

  it(
    'emits a call of the form before tool_calls, in pieces or whole',
    marbles(({ hot, expectObservable }) => {
      const values = {
        ...data,
        c: chunk({ role: 'assistant', content: null, function_call: { name: 'shell', arguments: '' } }),
        e: chunk({ function_call: { arguments: '{"x":' } }),
        h: chunk({ function_call: { arguments: '1}' } }),
        k: chunk({}, 'function_call'),
        w: JSON.stringify({
          id: 'c',
          choices: [
            {
              message: { content: 'Hel', function_call: { name: 'shell', arguments: '{"x":1}' } },
              finish_reason: 'stop',
            },
          ],
        }),
      };
      const expected = { ...emitted, F: call('call_new', '{"x":1}') };
      expectObservable(hot('cehkd', values).pipe(decode())).toBe('----(FC|)', expected);
      expectObservable(hot('w----d', values).pipe(decode())).toBe('A----(HFC|)', expected);
    }),
  );

  it(
    'emits that there is nothing in an answer, that calls are missing, or thoughts alone',
    marbles(({ hot, expectObservable }) => {
      const values = { ...data, k: chunk({}, 'function_call'), h: chunk({ thinking: 'hm' }) };
      const missing = (reason: string) => ({ kind: 'unknown', type: `${reason} without a call` });
      const expected = {
        ...emitted,
        E: { kind: 'nothing' },
        T: missing('tool_calls'),
        K: missing('function_call'),
        R: { kind: 'rawReasoning', itemId: '', delta: 'hm' },
        S: item({ type: 'reasoning', id: '', summary: [], encrypted_content: null }),
      };
      expectObservable(hot('-f-d', data).pipe(decode())).toBe('---(EC|)', expected);
      expectObservable(hot('ut-d', data).pipe(decode())).toBe('---(TU|)', expected);
      expectObservable(hot('at---d', data).pipe(decode())).toBe('A----(HTC|)', expected);
      expectObservable(hot('-k-d', values).pipe(decode())).toBe('---(KC|)', expected);
      expectObservable(hot('hf-d', values).pipe(decode())).toBe('R--(SC|)', expected);
    }),
  );

  it(
    'emits the calls though the finish reason is stop',
    marbles(({ hot, expectObservable }) => {
      const values = { ...data, c: calls(piece(0, 'a', 'shell', '{}')) };
      expectObservable(hot('cfd', values).pipe(decode())).toBe('--(FC|)', { ...emitted, F: call('a', '{}') });
    }),
  );

  it(
    'adds nothing twice of a whole message at the end',
    marbles(({ hot, expectObservable }) => {
      const whole = {
        role: 'assistant',
        content: 'Hello',
        reasoning: 'hm',
        tool_calls: [piece(0, 'a', 'shell', '{}')],
      };
      const w = JSON.stringify({ id: 'c', choices: [{ message: whole, finish_reason: 'tool_calls' }] });
      const values = { ...data, w, c: calls(piece(0, 'a', 'shell', '{}')), h: chunk({ reasoning: 'hm' }) };
      const expected = { ...emitted, L: text('lo'), R: { kind: 'rawReasoning', itemId: '', delta: 'hm' } };
      const thought = { type: 'reasoning', id: '', summary: [], encrypted_content: null };
      const T = item({ ...thought, extra_content: { reasoning: 'hm' } } as never);
      expectObservable(hot('hacwd', values).pipe(decode())).toBe('RA-L(TMFC|)', { ...expected, T, F: call('a', '{}') });
    }),
  );

  it(
    'names a call without a name, which is not made',
    marbles(({ hot, expectObservable }) => {
      const values = { ...data, c: calls(piece(0, 'a', '', '{}')) };
      const U = { kind: 'unknown', type: 'call without a name' };
      expectObservable(hot('cfd', values).pipe(decode())).toBe('--(UC|)', { ...emitted, U });
    }),
  );

  it(
    'adds what follows a finish reason, which some servers send with each part, up to [DONE], the end, or half a minute of silence',
    marbles(({ hot, expectObservable }) => {
      const values = {
        ...data,
        a: chunk({ content: 'Hel' }, 'stop'),
        b: chunk({ content: 'lo' }, 'stop'),
        h: chunk({ reasoning_content: 'hm' }, 'stop'),
      };
      const expected = { ...emitted, R: { kind: 'rawReasoning', itemId: '', delta: 'hm' } };
      expectObservable(hot('-a-b-f-d', values).pipe(decode())).toBe('-A-B---(MC|)', expected);
      expectObservable(hot('-h 9s a-b|', values).pipe(decode())).toBe('-R 9s A-B(MC|)', expected);
      expectObservable(hot('-a-b---', values).pipe(decode())).toBe('-A-B 29999ms (MC|)', expected);
    }),
  );

  it(
    'emits the thoughts that led to a call before it, in the member in which they came',
    marbles(({ hot, expectObservable }) => {
      const values = {
        ...data,
        h: chunk({ reasoning: 'h', reasoning_details: [1] }),
        m: chunk({ reasoning: 'm', reasoning_details: [2] }),
        c: calls(piece(0, 'a', 'shell', '{}')),
      };
      const extra_content = { reasoning: 'hm', reasoning_details: [1, 2] };
      const raw = (delta: string) => ({ kind: 'rawReasoning', itemId: '', delta });
      expectObservable(hot('hmctd', values).pipe(decode())).toBe('HM--(TFC|)', {
        H: raw('h'),
        M: raw('m'),
        T: item({ type: 'reasoning', id: '', summary: [], encrypted_content: null, extra_content }),
        F: call('a', '{}'),
        C: completed('c'),
      });
    }),
  );

  it.each([
    { object: 'error', message: 'GPU out of memory', type: 'internal', code: 500 },
    { error: { error: { message: 'GPU out of memory' } } },
    { error: { msg: 'GPU out of memory' } },
    { error: true, message: 'GPU out of memory' },
    { errors: [{ message: 'GPU out of memory' }] },
    { detail: 'GPU out of memory' },
    { type: 'error', msg: 'GPU out of memory' },
    { status: 'error', error_msg: 'GPU out of memory' },
    { success: false, message: 'GPU out of memory' },
    { base_resp: { status_code: 1004, status_msg: 'GPU out of memory' }, choices: [] },
    { code: 500, msg: 'GPU out of memory' },
    { error_code: 500, error_msg: 'GPU out of memory' },
    [{ error: { message: 'GPU out of memory' } }],
  ])('errors at once with what the server reports: %j', (reported) => {
    marbles(({ hot, expectObservable }) => {
      const error = new ModelError('stream disconnected before completion: GPU out of memory', true);
      const values = { ...data, e: JSON.stringify(reported) };
      expectObservable(hot('ae--', values).pipe(decode())).toBe('A#', emitted, error);
    })();
  });

  it(
    'errors with what the server wrote last, if no finish reason came; a sign of life is no such text',
    marbles(({ hot, expectObservable }) => {
      const values = { ...data, e: 'Error: GPU out of memory', m: '{"message":"GPU out of memory"}', s: 'ping' };
      const closed = (missing: string, words = '; the server wrote: GPU out of memory') =>
        new ModelError(`stream disconnected before completion: stream closed before ${missing}${words}`, true);
      const missing = 'finish_reason or [DONE]';
      expectObservable(hot('am|', values).pipe(decode())).toBe('A-#', emitted, closed(missing));
      expectObservable(hot('as|', values).pipe(decode())).toBe('A-#', emitted, closed(missing, ''));
      expectObservable(hot('amd', values).pipe(decode())).toBe('A-(H#)', emitted, closed('finish_reason'));
      expectObservable(hot('emfd', values).pipe(decode())).toBe('---(EC|)', {
        E: { kind: 'nothing' },
        C: completed('c'),
      });
    }),
  );
});
