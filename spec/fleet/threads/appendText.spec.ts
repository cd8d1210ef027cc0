import { map } from 'rxjs';
import type { NatsAppend } from '../../../src/fleet/link/natsLink';
import { appendFenced, appendText, type LogState } from '../../../src/fleet/threads/appendText';
import { FencedOff } from '../../../src/fleet/threads/lease';
import { readThreadFacts, toThreadHeaders } from '../../../src/fleet/threads/threadPlace';
import { NatsError } from '../../../src/io/nats/natsAddress';
import { marbles } from '../../support/marbles';
import { conflict, FACTS, inTurn, placeWith, stored, timedOut } from './doubles';

const before: LogState = { seq: 0, facts: FACTS, head: '' };

const head = `${JSON.stringify({ type: 'session_meta', payload: { cwd: '/w', model_provider: 'p', source: 's', cli_version: '1' } })}\n`;

const prompt = `${JSON.stringify({ type: 'event_msg', payload: { type: 'user_message', message: 'hi' } })}\n`;

/** Appends to a server that takes messages of so many bytes; the sent ones, and what the states show. */
const appending = (maxPayload = 1_048_576) => {
  const sent: NatsAppend[] = [];
  let ids = 0;
  const run = (
    at: (one: {
      seq: number;
    }) => ReturnType<typeof placeWith>['link']['append'] extends (m: never) => infer R ? R : never,
  ) => {
    const append = (one: NatsAppend) => {
      sent.push(one);
      return at({ seq: sent.length });
    };
    return { place: placeWith({ append, maxPayload }), id: 'a', self: { host: 'h', pid: 1 }, newId: () => `m${++ids}` };
  };
  return { sent, run };
};

const data = new Uint8Array([1]);

const message = { id: 'a', seq: 5, messageId: 'm', data, headers: {} };

const at = (seq: number) => ({ s: { seq, isDuplicate: false } });

describe('appendText', () => {
  it(
    'is one message of lines, with what they change of the summary',
    marbles(({ cold, expectObservable, flush }) => {
      const { sent, run } = appending();
      const deps = run(({ seq }) => cold('-(s|)', { s: { seq, isDuplicate: false } }));
      const state$ = appendText(deps, before, head + prompt).pipe(map(({ seq, facts }) => [seq, facts.preview]));
      expectObservable(state$).toBe('-(s|)', { s: [1, 'hi'] });
      flush();
      expect(sent.map((one) => Buffer.from(one.data).toString())).toEqual([head + prompt]);
      expect(readThreadFacts(sent[0]?.headers ?? {})).toEqual({
        ...FACTS,
        size: head.length + prompt.length,
        source: 's',
        preview: 'hi',
      });
    }),
  );

  it(
    'finds the first prompt also in later lines, and keeps the summary from then on',
    marbles(({ cold, expectObservable }) => {
      const { run } = appending();
      const deps = run(({ seq }) => cold('(s|)', { s: { seq, isDuplicate: false } }));
      const first = { ...before, facts: { ...FACTS, cwd: '/w' }, head };
      const texts$ = appendText(deps, first, prompt).pipe(map(({ facts, head }) => [facts.cwd, facts.preview, head]));
      expectObservable(texts$).toBe('(s|)', { s: ['/w', 'hi', ''] });
      const unchanged$ = appendText(deps, { ...before, facts: { ...FACTS, preview: 'old' } }, prompt);
      expectObservable(unchanged$.pipe(map(({ facts }) => facts.preview))).toBe('(s|)', { s: 'old' });
    }),
  );

  it(
    'looks for a prompt in the first megabyte only',
    marbles(({ cold, expectObservable }) => {
      const { run } = appending();
      const deps = run(({ seq }) => cold('(s|)', { s: { seq, isDuplicate: false } }));
      const long = { ...before, head: ' '.repeat(1_048_577) };
      expectObservable(appendText(deps, long, prompt).pipe(map(({ facts }) => facts.preview))).toBe('(s|)', { s: '' });
    }),
  );

  it(
    'cuts what is longer than a message, one behind the other',
    marbles(({ cold, expectObservable, flush }) => {
      const { sent, run } = appending(32_768);
      const deps = run(({ seq }) => cold('-(s|)', { s: { seq, isDuplicate: false } }));
      const text = `${'é'.repeat(20_000)}\n`;
      expectObservable(appendText(deps, before, text).pipe(map(({ seq }) => seq))).toBe('-12(3|)', {
        1: 1,
        2: 2,
        3: 3,
      });
      flush();
      expect(sent.map(({ expectSubjectSeq }) => expectSubjectSeq)).toEqual([0, 1, 2]);
      expect(Buffer.concat(sent.map(({ data }) => data)).toString()).toBe(text);
    }),
  );

  it(
    'is one empty message without lines, which leaves the summary',
    marbles(({ cold, expectObservable, flush }) => {
      const { sent, run } = appending();
      const deps = run(({ seq }) => cold('(s|)', { s: { seq, isDuplicate: false } }));
      expectObservable(appendText(deps, before, '')).toBe('(s|)', { s: { ...before, seq: 1 } });
      flush();
      expect(sent.map(({ data }) => data.length)).toEqual([0]);
    }),
  );
});

describe('appendFenced', () => {
  it(
    'expects the message that it follows, and emits the sequence of its own',
    marbles(({ cold, expectObservable, flush }) => {
      const sent: NatsAppend[] = [];
      const append = (one: NatsAppend) => {
        sent.push(one);
        return cold('                                                    --(s|)', at(6));
      };
      expectObservable(appendFenced(placeWith({ append }), message)).toBe('--(s|)', { s: 6 });
      flush();
      expect(sent).toEqual([
        { subject: 'threads.a', data, headers: {}, id: 'm', expectSubjectSeq: 5, timeoutMs: 2_000 },
      ]);
    }),
  );

  it(
    'sends again what had no response',
    marbles(({ cold, expectObservable }) => {
      const append = inTurn([cold<never>('-#', {}, timedOut), cold('-(s|)', at(6))]);
      expectObservable(appendFenced(placeWith({ append }), message)).toBe('- 100ms -(s|)', { s: 6 });
    }),
  );

  it(
    'knows its own message, whose response was lost',
    marbles(({ cold, expectObservable }) => {
      const append = inTurn([cold<never>('-#', {}, timedOut), cold<never>('-#', {}, conflict)]);
      const lastOf = () => cold('-(l|)', { l: stored('', 6, { 'Nats-Msg-Id': 'm' }) });
      expectObservable(appendFenced(placeWith({ append, lastOf }), message)).toBe('- 100ms --(s|)', { s: 6 });
    }),
  );

  it(
    'sends again what a cluster is still storing',
    marbles(({ cold, expectObservable }) => {
      const append = inTurn([
        ...[cold<never>('-#', {}, timedOut), cold<never>('-#', {}, conflict)],
        cold('-(s|)', { s: { seq: 6, isDuplicate: true } }),
      ]);
      const lastOf = () => cold('-(l|)', { l: stored('', 5, { 'Nats-Msg-Id': 'before' }) });
      expectObservable(appendFenced(placeWith({ append, lastOf }), message)).toBe('- 100ms -- 200ms -(s|)', { s: 6 });
    }),
  );

  it.each([
    [
      'names who has written since',
      stored('', 6, toThreadHeaders(FACTS, { host: 'h', pid: 7 })),
      'by the process 7 of the host h',
    ],
    ['errors where the thread was removed', undefined, 'is not in its store any more'],
  ])('%s', (_, last, expected) =>
    marbles(({ cold, expectObservable, flush }) => {
      const place = placeWith({
        append: () => cold<never>('-#', {}, conflict),
        lastOf: () => cold('(l|)', { l: last }),
      });
      const errors: unknown[] = [];
      appendFenced(place, message).subscribe({ error: (error) => errors.push(error) });
      expectObservable(cold('---|')).toBe('---|');
      flush();
      expect(errors).toEqual([expect.any(FencedOff)]);
      expect(String(errors[0])).toContain(expected);
    })(),
  );

  it(
    'passes other errors on',
    marbles(({ cold, expectObservable }) => {
      const full = new NatsError('full', 'full');
      expectObservable(appendFenced(placeWith({ append: () => cold<never>('#', {}, full) }), message)).toBe(
        '#',
        undefined,
        full,
      );
    }),
  );
});
