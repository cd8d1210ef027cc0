import type { Event } from '../../../src/protocol/codex/events';
import { acpReducer } from '../../../src/server/acp/acpReducer';
import { type Connection, newConnection } from '../../../src/server/acp/session';
import { STEER } from '../../../src/server/acp/steering';
import { asked } from '../../protocol/methods/host';
import {
  acpAgent,
  acpDeps,
  asks,
  cancels,
  FIRST,
  factsWith,
  notifies,
  opens,
  prompts,
  refuses,
  responds,
  updates,
} from '../../support/acp';
import { marbles } from '../../support/marbles';

const text = (words: string) => ({ sessionId: FIRST, prompt: [{ type: 'text', text: words }] });

const lines = {
  n: opens('n'),
  p: prompts('p', '3'),
  g: prompts('g', 'go on'),
  i: asks('i', STEER, text('5')),
  k: asks('k', STEER, text('go on')),
  h: asks('h', STEER, { ...text('5'), _meta: { steering: { idleBehavior: 'promptRequired' } } }),
  e: asks('i', STEER, text(' ')),
  w: notifies('$/cancel_request', { requestId: 'i' }),
  x: cancels(),
  s: asks('s', 'session/close', { sessionId: FIRST }),
};

const message = (words: string) =>
  updates({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: words } });

const sent = {
  N: responds('n', expect.objectContaining({ sessionId: FIRST })),
  C: updates({ sessionUpdate: 'available_commands_update' }),
  T: updates({ sessionUpdate: 'session_info_update' }),
  M: message('3'),
  O: message('5'),
  I: responds('i', { outcome: 'injected' }),
  F: responds('i', { outcome: 'failed' }),
  K: responds('k', { outcome: 'injected' }),
  W: refuses('i', -32800),
  E: refuses('i', -32600, expect.stringContaining('send session/prompt')),
  D: refuses('i', -32602),
  H: responds('h', { outcome: 'promptRequired', reason: 'noRunningTurn' }),
  P: responds('p', { stopReason: 'end_turn' }),
  X: responds('p', { stopReason: 'cancelled' }),
  G: responds('g', { stopReason: 'cancelled' }),
  S: responds('s', {}),
};

const deps = acpDeps();

/** A session whose prompt runs as the call `call-1`, and gets more input as `call-2`. */
const steered = (): Connection =>
  [
    asked('session/new', { cwd: '/w', mcpServers: [] }, 'n'),
    { kind: 'jobEnded', key: '0', result: factsWith() } as const,
    { kind: 'done', callId: 'call-0', threadId: FIRST } as const,
    asked('session/prompt', text('go on'), 'g'),
    asked(STEER, text('and faster'), 'i'),
  ].reduce((state, input) => acpReducer(deps).reduce(state, input).state, newConnection);

describe('input for a running prompt', () => {
  it('joins the turn, and is answered when it has', () => {
    const joined: Event = { kind: 'joined', callId: 'call-2', threadId: FIRST, turnCallId: 'call-1' };
    const { output, state } = acpReducer(deps).reduce(steered(), joined);
    expect(output).toEqual([{ kind: 'response', id: 'i', result: { outcome: 'injected' } }]);
    expect(acpReducer(deps).reduce(state, joined).output).toEqual([]);
  });

  it(
    'goes on in a turn of its own if the turn has ended, and the prompt with it',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('  n---p-i-----w---|', lines); // cancelling what is answered changes nothing
      const expected = '   (NC)T--(MI)-(OP)|';
      expectObservable(line$.pipe(acpAgent())).toBe(expected, sent);
    }),
  );

  it(
    'needs a prompt that runs, and a text',
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('n---i-h-|', lines).pipe(acpAgent())).toBe('(NC)E-H-|', sent);
      expectObservable(hot('n---p-e----|', lines).pipe(acpAgent())).toBe('(NC)T-D(MP)|', sent);
    }),
  );

  it(
    'ends with its prompt, with its session and with the connection',
    marbles(({ hot, expectObservable }) => {
      const all = { ...sent, P: responds('g', { stopReason: 'cancelled' }) };
      expectObservable(hot('n---g-i-x---|', lines).pipe(acpAgent())).toBe('(NC)T---(FG)|', all);
      expectObservable(hot('n---g-i-s----|', lines).pipe(acpAgent())).toBe('(NC)T---(FGS)|', all);
      expectObservable(hot('n---g-i---|', lines).pipe(acpAgent())).toBe('(NC)T-----(FG|)', all);
    }),
  );

  it(
    'is withdrawn alone if its client cancels it',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('  n---g-i-w-x|', lines);
      expectObservable(line$.pipe(acpAgent())).toBe('(NC)T---W-G|', sent);
    }),
  );

  it(
    'leads to another turn that is cancelled as the prompt',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('  n---p-k----x---|', lines);
      const expected = '   (NC)T--(MK)X---|';
      expectObservable(line$.pipe(acpAgent())).toBe(expected, sent);
    }),
  );
});
