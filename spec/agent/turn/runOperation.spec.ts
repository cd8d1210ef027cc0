import { EMPTY, NEVER, of, throwError } from 'rxjs';
import { recordPrompt } from '../../../src/agent/turn/runOperation';
import type { InputTurn } from '../../../src/agent/turn/runTurn';
import type { Event } from '../../../src/protocol/codex/events';
import { ModelError } from '../../../src/protocol/model/model';
import type { Config } from '../../../src/settings/config';
import type { Prompt } from '../../../src/threads/keepPrompt';
import { SUMMARY_MARK } from '../../../src/threads/lines/prompts';
import { marbles } from '../../support/marbles';
import { completed, item, messageOf, provider } from '../../support/models';
import { agentOf, config, environment, first, opened, turn, voice } from '../support';

const { input: _, ...about } = turn('k', { id: 'n1' });
/** a begins a thread, b goes on with it; k compacts it, x cancels that; n compacts a thread that is new. */
const op = {
  a: turn('a', { start: {} }),
  b: turn('b', { id: 'n1' }),
  k: { ...about, kind: 'compact' } as const,
  n: { ...about, kind: 'compact', thread: { start: {} } } as const,
  x: { kind: 'interrupt', callId: 'k' } as const,
};
const usage = {
  input_tokens: 9,
  cached_input_tokens: null,
  output_tokens: 2,
  reasoning_output_tokens: null,
  total_tokens: 11,
};
const spoken = {
  m: item(messageOf('assistant', 'ok')),
  s: item(messageOf('assistant', 'SUM')),
  u: completed('', usage),
  y: completed(),
};
const [own, later, fresh] = [voice('k', 'n1', 'n3'), voice('b', 'n1', 'n4'), voice('k', 'n1', 'n2')];
const out: Record<string, Event> = {
  ...opened,
  M: first.message('ok'),
  Z: first.complete('ok'),
  k: own.started,
  T: own.event({ type: 'token_count', ...usage }),
  z: own.complete(null),
  x: own.aborted,
  K: own.event({ type: 'context_compacted' }),
  F: own.error('broke'),
  R: own.streamError('stream error: broke; retrying 1/1 in 200ms…'),
  b: later.started,
  m: later.message('ok'),
  y: later.complete('ok'),
  c: fresh.configured,
  d: fresh.started,
  e: fresh.complete(null),
};
const user = (callId: string) => messageOf('user', `do ${callId}`);
const broke = (retryable: boolean) => throwError(() => new ModelError('broke', retryable));

describe('compactThread', () => {
  it(
    'sends the summary and the last turns in the place of the conversation, under the environment',
    marbles(({ hot, cold, expectObservable, flush }) => {
      const op$ = hot('       -a-------k-------b------|', op);
      const answer$ = cold('   ----m(y|)               ', spoken);
      const summary$ = cold('          -s(u|)          ', spoken);
      const next$ = cold('                     ---m(y|)', spoken);
      const expected = '      -(CS)MZ--k-(TKz)-b--my--|';
      const { agent, requests } = agentOf({ answers: [answer$, summary$, next$], own: { compactPrompt: 'short!' } });
      expectObservable(agent(op$)).toBe(expected, out);
      flush();
      const turns = [user('a'), messageOf('assistant', 'ok')];
      expect(requests[1]).toMatchObject({ input: [environment, ...turns, messageOf('user', 'short!')], tools: [] });
      expect(requests[2]?.input).toEqual([environment, messageOf('user', `${SUMMARY_MARK}\nSUM`), ...turns, user('b')]);
    }),
  );

  it.each([
    ['fails with the model, and leaves the conversation as it is', 0, () => broke(false), 'kFz'],
    ['fails where the model says nothing', 0, () => of(completed()), 'kGz'],
    ['asks again as often as the provider allows', 1, () => broke(true), 'kRFz'],
  ])('%s', (_name, streamMaxRetries, answer, expected) => {
    const answers = [of(spoken.m, spoken.y), answer(), answer(), of(spoken.m, spoken.y)];
    marbles(({ hot, expectObservable, flush }) => {
      const { agent, requests } = agentOf({ answers, own: { provider: provider({ streamMaxRetries }) } });
      const seen: Event[] = [];
      agent(hot('a-k 1s b', op)).subscribe((event) => seen.push(event));
      expectObservable(hot('-')).toBe('-');
      flush();
      const G = own.error(
        'The model gave no summary, so the conversation is as it was. Try again, or start a new thread.',
      );
      expect(seen.filter(({ callId }) => callId === 'k')).toEqual(
        [...expected].map((letter) => ({ ...out, G })[letter]),
      );
      expect(requests.at(-1)?.input).toEqual([environment, user('a'), messageOf('assistant', 'ok'), user('b')]);
    })();
  });

  it(
    'stops when it is cancelled',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const op$ = hot('       -a-------k--x-----|', op);
      const answer$ = cold('   ----m(y|)         ', spoken);
      const summary$ = cold('          ----------', spoken);
      const expected = '      -(CS)MZ--k--x-----|';
      expectObservable(agentOf({ answers: [answer$, summary$] }).agent(op$)).toBe(expected, out);
      expectSubscriptions(summary$.subscriptions).toBe('---------^--!');
    }),
  );

  it(
    'asks nothing where there is no conversation yet',
    marbles(({ hot, expectObservable, flush }) => {
      const { agent, requests } = agentOf({});
      expectObservable(agent(hot('-n----|', op))).toBe('-(cde)|', out);
      flush();
      expect(requests).toEqual([]);
    }),
  );
});

const events: Record<string, Event> = { s: first.started, z: first.complete('ok') };

const turnOf = (history: Config['history'], text = 'do it'): InputTurn => ({
  op: turn('a', { start: {} }, { input: [{ type: 'text', text }] }),
  thread: { id: 'n1', config: config({ history }) } as InputTurn['thread'],
  turnId: 'n2',
  opensThread: false,
});

/** The operator, and what it kept. */
const watch = (history: Config['history'], text?: string, kept$ = EMPTY) => {
  const kept: Prompt[] = [];
  const keep = (prompt: Prompt) => {
    kept.push(prompt);
    return kept$;
  };
  return { kept, operator: recordPrompt({ keepPrompt: keep }, turnOf(history, text)) };
};

describe('recordPrompt', () => {
  it(
    'keeps the text of the turn, and passes its events',
    marbles(({ cold, expectObservable, flush }) => {
      const { kept, operator } = watch({ persistence: 'save-all', maxBytes: 9 });
      expectObservable(cold('s-(z|)', events).pipe(operator)).toBe('s-(z|)', events);
      flush();
      expect(kept).toEqual([{ threadId: 'n1', text: 'do it', maxBytes: 9 }]);
    }),
  );

  it(
    'keeps nothing where nobody asks for it, and no empty text',
    marbles(({ cold, expectObservable, flush }) => {
      const [none, empty] = [watch({ persistence: 'none' }), watch({ persistence: 'save-all' }, '')];
      expectObservable(cold('s-(z|)', events).pipe(none.operator)).toBe('s-(z|)', events);
      expectObservable(cold('s-(z|)', events).pipe(empty.operator)).toBe('s-(z|)', events);
      flush();
      expect([none.kept, empty.kept]).toEqual([[], []]);
    }),
  );

  it(
    'does not hold up events while the file is locked, and stops with the turn',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const turn$ = cold('s-z', events);
      expectObservable(turn$.pipe(watch({ persistence: 'save-all' }, 'x', NEVER).operator), '---!').toBe('s-z', events);
      expectSubscriptions(turn$.subscriptions).toBe('^--!');
    }),
  );
});
