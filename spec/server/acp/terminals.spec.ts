/** Commands in terminals of the client: what it is asked, and what becomes of its answers. */

import type { TerminalRequest } from '../../../src/protocol/codex/events';
import { type Connection, newConnection } from '../../../src/server/acp/session';
import { answerTerminal, followTerminals } from '../../../src/server/acp/terminals';
import { asked } from '../../protocol/methods/host';
import {
  acpAgent,
  answers,
  asks,
  cancels,
  FIRST,
  opens,
  prompts,
  responds,
  SECOND,
  says,
  updates,
} from '../../support/acp';
import { marbles } from '../../support/marbles';

const errors = (id: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32603, message } });

const line = {
  i: asks('i', 'initialize', {
    protocolVersion: 1,
    clientCapabilities: { terminal: true },
    clientInfo: { name: 'c', version: '1' },
  }),
  n: opens('n'),
  m: opens('m'),
  z: asks('i', 'initialize', {
    protocolVersion: 1,
    clientCapabilities: { terminal: true },
    clientInfo: { name: 'zed', version: '1' },
  }),
  p: prompts('p', 'run'),
  r: prompts('p', 'run quoted'),
  q: prompts('q', 'run', SECOND),
  c: answers(0, { terminalId: 't' }),
  w: answers(1, { exitCode: 3, signal: null }),
  s: answers(1, { exitCode: null, signal: 'SIGTERM' }),
  o: answers(2, { output: '\u001b[31mred\u001b[0m\r\n', truncated: true }),
  k: answers(2, null),
  l: answers(3, { output: 'so far', truncated: false }),
  x: cancels(),
  f: errors(0, 'no shell'),
  g: errors(1, 'lost'),
  h: errors(3, 'gone'),
  d: answers(1, { terminalId: 't' }),
  v: answers(3, { exitCode: 0, signal: null }),
};

const call = (id: number, method: string, params: object, sessionId = FIRST) =>
  says({ id, method: `terminal/${method}`, params: { sessionId, ...params } });
const use = (id: number, method: string, sessionId = FIRST) => call(id, method, { terminalId: 't' }, sessionId);
const tool = (fields: object, sessionId = FIRST) => updates({ toolCallId: 'c', ...fields }, sessionId);
const toolEnd = (fields: object) => says({ method: 'session/update', params: { sessionId: FIRST, update: fields } });
const message = (text: string) => updates({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });

/** What the model reads. */
const output = (text: string, exitCode: number): unknown =>
  message(`{"output":${JSON.stringify(text)},"metadata":{"exit_code":${exitCode},"duration_seconds":0.0}}`);

const MADE = {
  command: 'make',
  args: ['all'],
  env: [{ name: 'A', value: '1' }],
  cwd: '/w',
  outputByteLimit: 1_048_576,
};
const CUT = '[... the beginning of the output is left out ...]\nred\n';
const ended = (more: object = {}) =>
  toolEnd({ sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'failed', ...more });

const sent = {
  I: responds('i', expect.anything()),
  N: responds('n', expect.anything()),
  U: updates({ sessionUpdate: 'available_commands_update' }),
  T: updates({ sessionUpdate: 'session_info_update' }),
  B: tool({ sessionUpdate: 'tool_call', status: 'in_progress' }),
  C: call(0, 'create', MADE),
  V: tool({ content: [{ type: 'terminal', terminalId: 't' }] }),
  W: use(1, 'wait_for_exit'),
  O: use(2, 'output'),
  R: use(3, 'release'),
  E: ended(),
  M: output(CUT, 3),
  P: responds('p', { stopReason: 'end_turn' }),
  X: responds('p', { stopReason: 'cancelled' }),
  F: toolEnd({ sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'failed' }),
};

const NOT_AGAIN = 'The command was not run outside of it; the client may have begun it';

/** What the model reads and the client is shown of a command that began in no terminal. */
const unopened = (reason: string) => {
  const text = `execution error: the client opened no terminal: ${reason}. ${NOT_AGAIN}`;
  return {
    ...sent,
    E: ended({ content: [{ type: 'content', content: { type: 'text', text: `\`\`\`\n${text}\n\`\`\`` } }] }),
    M: message(text),
  };
};

/** What the model reads of a command that was ended because it took too long, or its end is unknown. */
const killed = (text: string) => ({
  ...sent,
  K: use(2, 'kill'),
  O: use(3, 'output'),
  R: use(4, 'release'),
  E: ended(),
  M: message(text),
});

describe('a command in a terminal of the client', () => {
  it(
    'is begun, awaited, read and released; an answer that comes early or twice changes nothing',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('  i--n---cp------c----cwww-o------o|', line);
      const expected = '   I--(NU)-(TBC)--(VW)--O---(REMP)--|';
      expectObservable(line$.pipe(acpAgent())).toBe(expected, sent);
    }),
  );

  it(
    'has the exit code 128 + n after the signal n',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('  i--n----p------c----s---o-------|', line);
      const expected = '   I--(NU)-(TBC)--(VW)-O---(REMP)--|';
      expectObservable(line$.pipe(acpAgent())).toBe(expected, { ...sent, E: ended(), M: output(CUT, 143) });
    }),
  );

  it(
    'is ended at its time limit, and what it wrote until then is read',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('  i--n----p------c 50ms k--l-------|', line);
      const expected = '   I--(NU)-(TBC)--(VW) 26ms K 20ms O--(REMP)--|';
      expectObservable(line$.pipe(acpAgent())).toBe(
        expected,
        killed('command timed out after 30 milliseconds\nso far'),
      );
    }),
  );

  it(
    'has its result at last if the client answers nothing after that',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('  i--n----p------c 70s |', line);
      const expected = '   I--(NU)-(TBC)--(VW) 26ms K 29999ms O 29999ms (REMP) 9965ms |';
      expectObservable(line$.pipe(acpAgent())).toBe(
        expected,
        killed(
          'command timed out after 30 milliseconds\n[... the client did not show the output: it did not answer within 30 s ...]\n',
        ),
      );
    }),
  );

  it(
    'is ended if the client has no answer to how it ended',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('  i--n----p------c----gk--l-------|', line);
      const expected = '   I--(NU)-(TBC)--(VW)-KO--(REMP)--|';
      expectObservable(line$.pipe(acpAgent())).toBe(
        expected,
        killed(
          'execution error: the client did not say how the command ended, and was asked to end it: error -32603: lost\nso far',
        ),
      );
    }),
  );

  it(
    'is ended and released when the prompt is cancelled',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('  i--n----p------c----x----w------|', line);
      const expected = '   I--(NU)-(TBC)--(VW)-(KRFX)------|';
      expectObservable(line$.pipe(acpAgent())).toBe(expected, { ...sent, K: use(2, 'kill') });
    }),
  );

  it(
    'is ended and released as soon as the client names its terminal, when the prompt was cancelled before',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('  i--n----p-----x----c----c------|', line);
      const expected = '   I--(NU)-(TBC)-(FX)-(KR)--------|';
      const all = { ...sent, K: use(1, 'kill'), R: use(2, 'release') };
      expectObservable(line$.pipe(acpAgent())).toBe(expected, all);
    }),
  );

  it(
    'is ended and released when the client goes away, or the agent',
    marbles(({ hot, expectObservable }) => {
      const all = { ...sent, K: use(2, 'kill') };
      const expected = 'I--(NU)-(TBC)--(VW)-(KRFX';
      const left$ = hot('i--n----p------c----|', line);
      expectObservable(left$.pipe(acpAgent())).toBe(`${expected}|)`, all);
      const stop$ = hot('--------------------s');
      const open$ = hot('i--n----p------c-----', line);
      expectObservable(open$.pipe(acpAgent({ stop$ }))).toBe(`${expected})`, all);
    }),
  );

  it(
    'is not asked of a client that makes a line for a shell of it, unless a shell takes its words as they are',
    marbles(({ hot, expectObservable }) => {
      const all = { ...sent, C: call(0, 'create', { ...MADE, args: ['a;b'] }) };
      const taken$ = hot(' i--n----r------|', line);
      expectObservable(taken$.pipe(acpAgent()), '-----------!').toBe('I--(NU)-(TBC)', all);
      const left$ = hot('  z--n----r------|', line);
      expectObservable(left$.pipe(acpAgent())).toBe('I--(NU)-(TP)---|', all);
      const plain$ = hot(' z--n----p------|', line);
      expectObservable(plain$.pipe(acpAgent()), '-----------!').toBe('I--(NU)-(TBC)', sent);
    }),
  );

  it(
    'failed if the client opens no terminal, and is not run a second time',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('  i--n----p------f----c----------|', line);
      const expected = '   I--(NU)-(TBC)--(EMP)-----------|';
      expectObservable(line$.pipe(acpAgent())).toBe(expected, unopened('error -32603: no shell'));
    }),
  );

  it(
    'failed if the client does not answer; a terminal that comes later is released',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('  i--n----p 30100ms                  c---|', line);
      const expected = '   I--(NU)-(TBC) 29995ms (EMP) 96ms (KR)|';
      const all = { ...unopened('it did not answer within 30 s'), K: use(1, 'kill'), R: use(2, 'release') };
      expectObservable(line$.pipe(acpAgent())).toBe(expected, all);
    }),
  );

  it(
    'has a terminal of its own session: another session may have one of the same name',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('  i--n----m----p------q------c----d----x------', line);
      const expected = '   I--(NU)-(QG)-(TBC)--(HLJ)--(VY)-(AZ)-(KRFX)-';
      const all = {
        ...sent,
        Q: responds('m', expect.anything()),
        G: updates({ sessionUpdate: 'available_commands_update' }, SECOND),
        H: updates({ sessionUpdate: 'session_info_update' }, SECOND),
        L: tool({ sessionUpdate: 'tool_call', status: 'in_progress' }, SECOND),
        J: call(1, 'create', MADE, SECOND),
        Y: use(2, 'wait_for_exit'),
        A: tool({ content: [{ type: 'terminal', terminalId: 't' }] }, SECOND),
        Z: use(3, 'wait_for_exit', SECOND),
        K: use(4, 'kill'),
        R: use(5, 'release'),
      };
      const until = '      --------------------------------------------!';
      expectObservable(line$.pipe(acpAgent()), until).toBe(expected, all);
    }),
  );
});

const command = { act: 'create', tool: 'c', argv: ['make'], env: {}, cwd: '/w', maxBytes: 9 } as const;
const about = { callId: 'a', threadId: FIRST };
const waiting = { callId: 'a', requestId: 'p', asksBy: 'request' } as const;
const deps = { newQuestionId: () => 99 };

/** The connection after the session has been asked this, under the id 0. */
const asking = (request: TerminalRequest, state = newConnection, sessionId = FIRST): Connection => {
  const caller = { request: asked('session/prompt'), sessionId };
  const event = { kind: 'terminal', ...about, question: 0, request } as const;
  return followTerminals(deps, state, { kind: 'client', call: { ...waiting, caller }, event }).state;
};

const verdictOn = (request: TerminalRequest, result: unknown) =>
  answerTerminal(deps, asking(request), { question: 0, response: { kind: 'response', id: 0, result } })?.verdict;

describe('an answer about a terminal', () => {
  it.each([
    [command, {}, 'result.terminalId is missing'],
    [command, { terminalId: 7 }, 'result.terminalId must be a string, not a number'],
    [command, { terminalId: '' }, 'its answer has no id of 1 to 1000 characters'],
    [command, { terminalId: 'x'.repeat(1001) }, 'its answer has no id of 1 to 1000 characters'],
    [command, null, 'result must be an object, not null'],
    [{ act: 'wait', terminal: 't' }, { exitCode: -1 }, 'result.exitCode must be at least 0'],
    [{ act: 'wait', terminal: 't' }, { exitCode: '0' }, 'result.exitCode must be a number, not a string'],
    [{ act: 'wait', terminal: 't' }, { signal: 9 }, 'result.signal must be a string, not a number'],
    [{ act: 'output', terminal: 't' }, { output: 'x' }, 'result.truncated is missing'],
    [{ act: 'output', terminal: 't' }, { output: null, truncated: false }, 'result.output must be a string, not null'],
  ] as const)('counts as none: %#', (request, result, fault) => {
    expect(verdictOn(request, result)).toEqual({ decision: 'denied', reason: expect.stringContaining(fault) });
  });

  it('may leave out what it does not know, and has any form after a kill', () => {
    const neither = { decision: 'approved', terminal: { exitCode: null, signal: null } };
    expect(verdictOn({ act: 'wait', terminal: 't' }, {})).toEqual(neither);
    expect(verdictOn({ act: 'kill', terminal: 't' }, 'x')).toEqual({ decision: 'approved', terminal: {} });
  });

  it('names no terminal that another command of the session has; that one is left alone', () => {
    const answer = { question: 0, response: { kind: 'response', id: 0, result: { terminalId: 't' } } } as const;
    const first = answerTerminal(deps, asking(command), answer)?.state ?? newConnection;
    const reason = 'it named a terminal that another command has';
    const second = answerTerminal(deps, asking(command, first), answer);
    expect(second).toMatchObject({ output: [], verdict: { decision: 'denied', reason } });
    expect(second?.state.terminals).toEqual(first.terminals);
    const other = answerTerminal(deps, asking(command, first, SECOND), answer);
    expect(other?.verdict).toEqual({ decision: 'approved', terminal: { terminal: 't' } });
  });

  it('is awaited for 100 terminals at most whose commands nobody waits for', () => {
    const call = { ...waiting, caller: { request: asked('session/prompt'), sessionId: FIRST } };
    const state = Array.from({ length: 150 }, (_, question) => question).reduce((before, question) => {
      const event = { kind: 'terminal', ...about, question, request: command } as const;
      const { state } = followTerminals(deps, before, { kind: 'client', call, event });
      return followTerminals(deps, state, { kind: 'withdrawn', call, questions: [question], reason: '' }).state;
    }, newConnection);
    expect([...state.terminals.asked.keys()]).toEqual(Array.from({ length: 100 }, (_, at) => at + 50));
  });
});
