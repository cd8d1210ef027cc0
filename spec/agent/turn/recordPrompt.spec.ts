import { EMPTY, NEVER } from 'rxjs';
import { recordPrompt } from '../../../src/agent/turn/runOperation';
import type { InputTurn } from '../../../src/agent/turn/runTurn';
import type { Event } from '../../../src/protocol/codex/events';
import type { Config } from '../../../src/settings/config';
import type { Prompt } from '../../../src/threads/keepPrompt';
import { marbles } from '../../support/marbles';
import { config, first, turn } from '../support';

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
