import fc from 'fast-check';
import { tap } from 'rxjs';
import {
  callTool,
  cancelledNotification,
  decodeToolMessage,
  failed,
  toDone,
  toShortJson,
} from '../../../src/agent/toolServers/callTool';
import type { CallEvent } from '../../../src/agent/toolServers/toolServer';
import type { JsonObject } from '../../../src/protocol/jsonrpc/json';
import type { Notification, Request } from '../../../src/protocol/jsonrpc/messages';
import { marbles } from '../../support/marbles';
import { note, peerOf, question } from './support';

const progress = (progressToken: number, more: JsonObject = {}) =>
  note('notifications/progress', { progressToken, progress: 1, ...more });
const incoming: Record<string, Request | Notification> = {
  p: progress(1, { total: 4, message: 'reading' }),
  b: progress(1),
  o: progress(2),
  e: question({ message: 'Who?', requestedSchema: { properties: { name: {} } } }),
  y: question({ message: 'Go on?' }),
};
const result = { content: [{ type: 'text', text: 'ok' }] };
const events = {
  P: { kind: 'progress', message: 'reading (1 of 4)' },
  B: { kind: 'progress', message: '1' },
  E: expect.objectContaining({ kind: 'question', message: 'Who?', schema: { properties: { name: {} } } }),
  D: { kind: 'done', result: { Ok: result }, text: JSON.stringify(result.content) },
  S: {
    kind: 'done',
    result: { Err: expect.stringContaining('the server sent nothing about it for 0.01 s') },
    text: expect.stringMatching(/^tool call error: tool call failed for `s\/t`: the server sent nothing/),
  },
  F: { kind: 'done', result: { Err: 'tool call failed for `s/t`: gone' }, text: expect.any(String) },
};
const cancelled = {
  kind: 'notification',
  method: 'notifications/cancelled',
  params: { requestId: 1, reason: expect.any(String) },
};

describe('callTool', () => {
  it.each([
    ['ends with the result', '-----------', '--r', '--(D|)', []],
    ['emits the question of the server', '--e--------', '-----r', '--E--(D|)', []],
    ['waits no longer than the limit ', '-----------', '-', '----------(S|)', [cancelled]],
    ['counts from the last event', '---p-------', '-', '---P---------(S|)', [cancelled]],
    ['lets a person take any time', '---e-------', '------------------r', '---E--------------(D|)', []],
    [
      'lets a person take any time while progress comes',
      '---e-b-----',
      '------------------r',
      '---E-B------------(D|)',
      [],
    ],
    ['ends when the connection to the server is lost', '-----------', '---#', '---(F|)', []],
  ])('%s', (_, word, answer, expected, sent) => {
    const all: unknown[][] = [];
    marbles(({ hot, cold, expectObservable }) => {
      const { peer, sent } = peerOf(hot(word, incoming), {
        'tools/call': cold(answer, { r: result }, new Error('gone')),
      });
      const deps = { server: 's', peer, open: new Set<number>(), timeoutMs: 10 };
      all.push(sent);
      expectObservable(callTool(deps, 't', { a: 1 })).toBe(expected, events);
    })();
    expect(all[0]).toEqual(sent);
  });

  it(
    'emits its own progress, of what comes faster only the newest of each 100 ms',
    marbles(({ hot, cold, expectObservable }) => {
      const word$ = hot('-pop 60ms b 200ms p', incoming);
      const { peer } = peerOf(word$, { 'tools/call': cold('270ms r', { r: result }) });
      const deps = { server: 's', peer, open: new Set<number>(), timeoutMs: 999 };
      expectObservable(callTool(deps, 't', {})).toBe('-P 99ms B 163ms P 4ms (D|)', events);
    }),
  );

  it('starts the clock again when the person has answered, in the terms of the protocol', () => {
    const sent: unknown[] = [];
    marbles(({ hot, cold, flush }) => {
      const made = peerOf(hot('-y---------', incoming), { 'tools/call': cold<JsonObject>('-') });
      const deps = { server: 's', peer: made.peer, open: new Set<number>(), timeoutMs: 10 };
      const call$ = callTool(deps, 't', undefined);
      const answers: CallEvent[] = [];
      const answer = cold('--------------------x');
      answer.subscribe(() => {
        const [asked] = answers;
        if (asked?.kind === 'question') asked.answer({ decision: 'approved' });
      });
      call$.subscribe((one) => answers.push(one));
      flush();
      expect(answers.map(({ kind }) => kind)).toEqual(['question', 'done']);
      sent.push(...made.sent);
    })();
    expect(sent).toEqual([{ kind: 'response', id: 'q', result: { action: 'accept', content: {} } }, cancelled]);
  });

  it('starts the clock again for a client that answers at once, as one that cannot be asked', () => {
    marbles(({ hot, cold, expectObservable }) => {
      const { peer } = peerOf(hot('-y---------', incoming), { 'tools/call': cold<JsonObject>('-') });
      const call$ = callTool({ server: 's', peer, open: new Set(), timeoutMs: 10 }, 't', undefined);
      const answered$ = call$.pipe(tap((one) => one.kind === 'question' && one.answer({ decision: 'denied' })));
      expectObservable(answered$).toBe('-Y---------(S|)', {
        ...events,
        Y: expect.objectContaining({ kind: 'question' }),
      });
    })();
  });

  it('cancels an unsubscribed call at the server', () => {
    const all: unknown[][] = [];
    marbles(({ hot, cold, expectObservable }) => {
      const { peer, sent } = peerOf(hot('-'), { 'tools/call': cold<JsonObject>('-') });
      all.push(sent);
      expectObservable(callTool({ server: 's', peer, open: new Set(), timeoutMs: 99 }, 't', {}), '---!').toBe('----');
    })();
    expect(all[0]).toEqual([cancelled]);
  });

  it('leaves a question to the newest of the calls that are open', () => {
    marbles(({ hot, cold, expectObservable }) => {
      const { peer } = peerOf(hot('--e', incoming), { 'tools/call': cold('----r', { r: result }) });
      const deps = { server: 's', peer, open: new Set<number>(), timeoutMs: 99 };
      expectObservable(callTool(deps, 'old', {})).toBe('----(D|)', events);
      expectObservable(callTool(deps, 'new', {})).toBe('--E-(D|)', events);
    })();
  });

  it.each([
    [
      'an answer to a form',
      { decision: 'approved', form: { name: 'Ann' } },
      { action: 'accept', content: { name: 'Ann' } },
    ],
    ['a form that was left', { decision: 'approved' }, { action: 'decline' }],
    ['a turn that was stopped', { decision: 'abort' }, { action: 'cancel' }],
  ] as const)('responds with %s', (_, verdict, expected) => {
    const all: unknown[][] = [];
    marbles(({ hot, cold, flush }) => {
      const { peer, sent } = peerOf(hot('-e', incoming), { 'tools/call': cold('---r', { r: result }) });
      all.push(sent);
      callTool({ server: 's', peer, open: new Set(), timeoutMs: 99 }, 't', {}).subscribe((one) => {
        if (one.kind === 'question') one.answer(verdict);
      });
      flush();
    })();
    expect(all[0]).toEqual([{ kind: 'response', id: 'q', result: expected }]);
  });
});

describe('cancelledNotification', () => {
  it('names the request and the reason', () => {
    expect(cancelledNotification(7, 'late')).toEqual({
      kind: 'notification',
      method: 'notifications/cancelled',
      params: { requestId: 7, reason: 'late' },
    });
  });
});

describe('toDone', () => {
  it.each([
    [{ content: [{ type: 'text', text: 'a' }] }, '[{"type":"text","text":"a"}]'],
    [{ structuredContent: { a: 1 }, content: [] }, '{"a":1}'],
    [{}, '[]'],
    [{ isError: true, content: [1] }, 'tool call error: [1]'],
    [{ isError: 'no' }, '[]'],
    [{ content: 'none' }, '"none"'],
    [
      { content: [{ type: 'image', mimeType: 'image/png', data: 'A'.repeat(4_000) }] },
      '[{"type":"image","mimeType":"image/png","data":"(3000 bytes, left out)"}]',
    ],
    [
      { content: [{ type: 'resource', resource: { uri: 'u', blob: 'A'.repeat(4_000) } }] },
      '[{"type":"resource","resource":{"uri":"u","blob":"(3000 bytes, left out)"}}]',
    ],
    [
      {
        content: [
          { type: 'resource', resource: { uri: 'u', text: 't' } },
          { type: 'audio', data: 'AAAA' },
        ],
      },
      '[{"type":"resource","resource":{"uri":"u","text":"t"}},{"type":"audio","data":"AAAA"}]',
    ],
  ])('of %j', (result, text) => {
    expect(toDone(result)).toEqual({ kind: 'done', result: { Ok: result }, text });
  });
});

describe('failed', () => {
  it('has the reason for the caller and for the model', () => {
    expect(failed('why')).toEqual({ kind: 'done', result: { Err: 'why' }, text: 'tool call error: why' });
  });
});

const lines = (count: number): string => Array.from({ length: count }, (_, i) => `line ${i}`).join('\n');

describe('toShortJson', () => {
  it('keeps what is short', () => {
    expect(toShortJson([{ type: 'text', text: 'a' }])).toBe('[{"type":"text","text":"a"}]');
  });

  it('cuts a long text around a mark that counts its lines', () => {
    const [{ text }] = JSON.parse(toShortJson([{ type: 'text', text: lines(5_000) }]));
    expect(text).toMatch(/^line 0\nline 1\n.*\n\[\.\.\. omitted 4744 of 5000 lines \.\.\.\]\n\n.*\nline 4999$/s);
  });

  it('stays JSON within its measure, whatever the texts are', () => {
    const text = fc.tuple(fc.constantFrom('a', '\n', 'é\n', '"', '\u0000', '😀'), fc.nat(9_000));
    fc.assert(
      fc.property(fc.array(text, { maxLength: 8 }), (parts) => {
        const value = parts.map(([unit, count]) => ({ text: unit.repeat(count) }));
        const short = toShortJson(value);
        expect(JSON.parse(short)).toHaveLength(value.length);
        expect(Buffer.byteLength(short)).toBeLessThanOrEqual(Math.max(10_240, 8 * 6 * 300));
      }),
    );
  });
});

describe('decodeToolMessage', () => {
  const line = (result: string) => `{"jsonrpc":"2.0","id":1,"result":${result}}`;
  const textOf = (result: string) => {
    const message = decodeToolMessage(line(result));
    return 'result' in message ? toDone(message.result as JsonObject).text : '';
  };

  it('keeps all digits of a structured result, up to what the model reads', () => {
    expect(textOf('{"content":[],"structuredContent":{"id":1234567890123456789}}')).toBe('{"id":1234567890123456789}');
    expect(textOf('{"content":[{"type":"text","text":"1234567890123456789"}]}')).toContain('1234567890123456789');
  });

  it('reads numbers of any other message as usual', () => {
    const result = { tools: [{ inputSchema: { maximum: 2 ** 63 } }] };
    expect(decodeToolMessage(line('{"tools":[{"inputSchema":{"maximum":9223372036854775808}}]}'))).toMatchObject({
      result,
    });
  });
});
