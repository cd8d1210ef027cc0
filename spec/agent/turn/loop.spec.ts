import type { Event } from '../../../src/protocol/codex/events';
import type { ModelRequest } from '../../../src/protocol/model/request';
import { marbles } from '../../support/marbles';
import { completed, item, messageOf } from '../../support/models';
import {
  agentOf,
  command,
  environment,
  first,
  interrupt,
  noteOf,
  opened,
  outputOf,
  shell,
  turn,
  voice,
} from '../support';

const thread = { id: 'n1' };
/** a begins a thread; i, j are input for it; 1, 2 cancel a, i; x interrupts the thread. */
const op = {
  a: turn('a', { start: {} }),
  i: turn('i', thread, { kind: 'input' }),
  j: turn('j', thread, { kind: 'input' }),
  1: interrupt('a'),
  2: interrupt('i'),
  x: { kind: 'interruptThread', callId: 'x', thread } as const,
};
const spoken = { l: item(shell('l', 'ls')), m: item(messageOf('assistant', 'ok')), y: completed() };
const joined = (callId: string): Event => ({ kind: 'joined', callId, threadId: 'n1', turnCallId: 'a' });
const own = voice('i', 'n1', 'n3');
const out: Record<string, Event> = {
  ...opened,
  B: first.begin('l', ['ls']),
  E: first.end('l'),
  M: first.message('ok'),
  Z: first.complete('ok'),
  X: first.aborted,
  I: joined('i'),
  J: joined('j'),
  D: { kind: 'done', callId: 'x', threadId: 'n1' },
  s: own.started,
  m: own.message('ok'),
  z: own.complete('ok'),
  w: voice('i', 'n1', '').aborted,
};
const user = (callId: string) => messageOf('user', `do ${callId}`);
const inputs = (requests: ModelRequest[]) => requests.map(({ input }) => input);
const ok = messageOf('assistant', 'ok');

describe('loop', () => {
  it(
    'gives input to the model with the outputs of the calls, once',
    marbles(({ hot, cold, expectObservable, flush }) => {
      const op$ = hot('       -a---i-j-----------|', op);
      const call$ = cold('     ----l(y|)          ', spoken);
      const ls$ = cold('           b-----(eo|)    ', command('l', 'ls'));
      const answer$ = cold('             -----m(y|)', spoken);
      const expected = '      -(CS)B-----(EIJ)MZ-|';
      const { agent, requests } = agentOf({ answers: [call$, answer$], commands: { ls: ls$ } });
      expectObservable(agent(op$)).toBe(expected, out);
      flush();
      const listed = [shell('l', 'ls'), outputOf('l', 'l ran')];
      expect(inputs(requests)[1]).toEqual([environment, user('a'), ...listed, user('i'), user('j')]);
    }),
  );

  it(
    'asks the model once more for input that came with its last answer',
    marbles(({ hot, cold, expectObservable, flush }) => {
      const op$ = hot('       -a---i---------|', op);
      const answer$ = cold('   -----m--(y|)   ', spoken);
      const more$ = cold('             --m(y|)', spoken);
      const expected = '      -(CS)-M--I-MZ--|';
      const { agent, requests } = agentOf({ answers: [answer$, more$] });
      expectObservable(agent(op$)).toBe(expected, out);
      flush();
      const before = [environment, user('a')];
      expect(inputs(requests)).toEqual([before, [...before, ok, user('i')]]);
    }),
  );

  it(
    'leaves out input that was cancelled meanwhile',
    marbles(({ hot, cold, expectObservable, flush }) => {
      const op$ = hot('       -a---i2---------|', op);
      const answer$ = cold('   -----m---(y|)   ', spoken);
      const expected = '      -(CS)-(wM)Z-----|';
      const { agent, requests } = agentOf({ answers: [answer$] });
      expectObservable(agent(op$)).toBe(expected, out);
      flush();
      expect(requests).toHaveLength(1);
    }),
  );

  it(
    'leaves input that it did not take to be a turn of its own',
    marbles(({ hot, cold, expectObservable, flush }) => {
      const op$ = hot('       -a---i-1---------|', op);
      const answer$ = cold('   --------        ', spoken);
      const next$ = cold('           ----m(y|) ', spoken);
      const expected = '      -(CS)--(Xs)mz----|';
      const { agent, requests } = agentOf({ answers: [answer$, next$] });
      expectObservable(agent(op$)).toBe(expected, out);
      flush();
      expect(inputs(requests)[1]).toEqual([environment, user('a'), noteOf(), user('i')]);
    }),
  );

  it(
    'keeps what the model has answered when the turn is interrupted',
    marbles(({ hot, cold, expectObservable, flush }) => {
      const op$ = hot('       -a-----1-n--------|', { ...op, n: turn('n', thread) });
      const answer$ = cold('   ----m----         ', spoken);
      const next$ = cold('             --(y|)    ', spoken);
      const expected = '      -(CS)M-X-N-Z------|';
      const next = voice('n', 'n1', 'n3');
      const { agent, requests } = agentOf({ answers: [answer$, next$] });
      expectObservable(agent(op$)).toBe(expected, { ...out, N: next.started, Z: next.complete(null) });
      flush();
      expect(inputs(requests)[1]).toEqual([environment, user('a'), ok, noteOf(), user('n')]);
    }),
  );

  it(
    'stops the turn and withdraws what did not join it, when its thread is interrupted',
    marbles(({ hot, cold, expectObservable }) => {
      const op$ = hot('       -a---i-x-------|', op);
      const answer$ = cold('   --------       ', spoken);
      const expected = '      -(CS)--(wXD)---|';
      expectObservable(agentOf({ answers: [answer$] }).agent(op$)).toBe(expected, out);
    }),
  );
});
