/** The reducer of a connection, step by step: what its marbles in acpServer.spec.ts do not show. */
import type { CodexEvent } from '../../../src/protocol/codex/events';
import type { Request } from '../../../src/protocol/jsonrpc/messages';
import { silentLog } from '../../../src/protocol/log';
import { type AcpInput, acpReducer } from '../../../src/server/acp/acpReducer';
import { toAuthMethods } from '../../../src/server/acp/authMethods';
import { beginPrompt, finishCommand } from '../../../src/server/acp/beginPrompt';
import { RENAME } from '../../../src/server/acp/jobs';
import { openThread } from '../../../src/server/acp/opening';
import { receivePrompt } from '../../../src/server/acp/prompting';
import { receiveRequest } from '../../../src/server/acp/requests';
import { type Connection, newConnection, type Session, sessionOf, toSentence } from '../../../src/server/acp/session';
import { showText } from '../../../src/server/acp/turnView';
import { endJob, withoutJobs } from '../../../src/server/acp/waiting';
import { asked } from '../../protocol/methods/host';
import { FIRST, factsWith, SECOND } from '../../support/acp';

const counter = () => {
  let next = 0;
  return () => `call-${next++}`;
};

const depsOf = () => ({ newCallId: counter(), newQuestionId: () => 7, log: silentLog, now: () => 0, version: '1' });

/** What the inputs lead to, one after another. */
const run = (inputs: readonly (AcpInput | CodexEvent | { kind: 'done'; callId: string; threadId: string })[]) => {
  const { initial, reduce } = acpReducer(depsOf());
  return inputs.reduce(
    (step, input) => {
      const next = reduce(step.state, input as AcpInput);
      return { state: next.state, output: next.output, ops: next.ops };
    },
    { state: initial, output: [], ops: [] } as ReturnType<typeof reduce>,
  );
};

const openInputs: readonly Parameters<typeof run>[0][number][] = [
  asked('session/new', { cwd: '/w', mcpServers: [] }, 'n'),
  { kind: 'jobEnded', key: '0', result: factsWith() },
  { kind: 'done', callId: 'call-0', threadId: FIRST },
];

const question = (call_id: string, number: number): CodexEvent => ({
  kind: 'event',
  callId: 'call-1',
  threadId: FIRST,
  turnId: '',
  id: '',
  question: number,
  msg: { type: 'exec_approval_request', call_id, command: ['rm', 'x'], cwd: '/w' },
});

const promptOf = (text: string, id = 'p'): Request =>
  asked('session/prompt', { sessionId: FIRST, prompt: [{ type: 'text', text }] }, id);

describe('acpReducer', () => {
  it.each([
    ['tokens', 'max_tokens'],
    ['requests', 'max_turn_requests'],
  ] as const)(
    'answers a prompt whose turn has used up its %s with %s, and with the reason as text',
    (bound, stopReason) => {
      const about = { kind: 'event', callId: 'call-1', threadId: FIRST, turnId: '', id: '' } as const;
      const error: CodexEvent = { ...about, msg: { type: 'error', message: 'too much' }, bound };
      const aborted: CodexEvent = { ...about, msg: { type: 'turn_aborted', reason: 'interrupted' } };
      const { output } = run([...openInputs, promptOf('x'), error, aborted]);
      expect(output).toEqual([
        expect.objectContaining({
          params: {
            sessionId: FIRST,
            update: expect.objectContaining({ content: { type: 'text', text: 'too much' } }),
          },
        }),
        { kind: 'response', id: 'p', result: { stopReason } },
      ]);
    },
  );

  it.each([
    [true, true, { files: true }],
    [true, false, {}],
    [false, true, {}],
  ])('lets a turn ask for files of a client that reads (%s) and writes (%s)', (readTextFile, writeTextFile, files) => {
    const clientCapabilities = { fs: { readTextFile, writeTextFile } };
    const initialized = asked('initialize', { protocolVersion: 1, clientCapabilities }, 'i');
    const { ops } = run([initialized, ...openInputs, promptOf('x')]);
    expect(ops).toEqual([
      {
        kind: 'turn',
        callId: 'call-1',
        eventId: 'call-1',
        thread: { id: FIRST },
        askable: true,
        input: [{ type: 'text', text: 'x' }],
        ...files,
      },
    ]);
  });

  it('sends the model to the skills that a prompt names', () => {
    const skills = [{ name: 'owl', description: '', path: '/h/SKILL.md' }];
    const opening = [openInputs[0], { kind: 'jobEnded', key: '0', result: factsWith({ skills }) }, openInputs[2]];
    const { ops } = run([...(opening as typeof openInputs), promptOf('hoot as $owl')]);
    expect(ops).toMatchObject([
      { input: [{ text: 'hoot as $owl' }, { text: expect.stringContaining('first read /h/SKILL.md') }] },
    ]);
  });

  it('opens a thread when the machine has found what it would run under', () => {
    const { output, ops } = run(openInputs.slice(0, 2));
    expect(output).toEqual([]);
    expect(ops).toEqual([
      {
        kind: 'open',
        callId: 'call-0',
        eventId: '',
        thread: { start: { cwd: '/w', includePlanTool: true } },
        askable: true,
      },
    ]);
  });

  it('rejects without a question what was rejected for the session', () => {
    const { output, ops } = run([
      ...openInputs,
      promptOf('go'),
      question('a', 0),
      { kind: 'response', id: 0, result: { outcome: { outcome: 'selected', optionId: 'reject_always' } } },
      question('b', 1),
    ]);
    expect(ops).toEqual([
      { kind: 'verdict', question: 1, verdict: { decision: 'denied', reason: expect.any(String) } },
    ]);
    expect(output).toMatchObject([
      { params: { update: { toolCallId: 'b', sessionUpdate: 'tool_call' } } },
      { params: { update: { toolCallId: 'b', status: 'failed' } } },
    ]);
  });

  it('takes no answer to a question of nobody, and none by an id of another type', () => {
    for (const id of ['0', 7, null]) {
      const { ops } = run([
        ...openInputs,
        promptOf('go'),
        question('a', 0),
        { kind: 'response', id, result: { outcome: { outcome: 'selected', optionId: 'allow_once' } } },
      ]);
      expect(ops).toEqual([]);
    }
  });

  it('answers a form for a client that shows none by itself', () => {
    const form: CodexEvent = {
      ...question('', 0),
      msg: {
        type: 'elicitation_request',
        server_name: 's',
        message: 'name?',
        requested_schema: { type: 'object', properties: { name: { type: 'string' } } },
      },
    };
    expect(run([...openInputs, promptOf('go'), form]).ops).toMatchObject([{ verdict: { decision: 'denied' } }]);
    const forms = asked('initialize', { protocolVersion: 1, clientCapabilities: { elicitation: { form: {} } } }, 'i');
    expect(run([forms, ...openInputs, promptOf('go'), form]).output).toMatchObject([
      { params: { update: { sessionUpdate: 'tool_call', title: 's: name?' } } },
      { kind: 'request', id: 0, method: 'elicitation/create', params: { mode: 'form', sessionId: FIRST } },
    ]);
  });

  it('answers a request that is cancelled while this machine works, once', () => {
    const cancel = { kind: 'notification', method: '$/cancel_request', params: { requestId: 'n' } } as const;
    expect(run([openInputs[0] as AcpInput, cancel]).output).toMatchObject([
      { id: 'n', error: { code: -32800 } },
      { kind: 'drop', key: '0' },
    ]);
    expect(run([openInputs[0] as AcpInput, cancel, openInputs[1] as AcpInput])).toMatchObject({ output: [], ops: [] });
    expect(run([...openInputs.slice(0, 2), cancel]).output).toMatchObject([{ id: 'n', error: { code: -32800 } }]);
  });

  it('answers what is missing, and what needs a login', () => {
    const load = asked('session/load', { sessionId: FIRST, cwd: '/w' }, 'l');
    expect(run([load, { kind: 'jobEnded', key: '0', result: null }]).output).toMatchObject([
      { id: 'l', error: { code: -32002 } },
    ]);
    const needsLogin = factsWith({ needsLogin: true });
    expect(run([openInputs[0] as AcpInput, { kind: 'jobEnded', key: '0', result: needsLogin }]).output).toMatchObject([
      { id: 'n', error: { code: -32000 } },
    ]);
  });

  it('looks for a session only if it is not open, to answer its status', () => {
    const status = asked('session/status', { sessionId: FIRST }, 's');
    expect(run([...openInputs, status]).output).toMatchObject([{ id: 's', result: { status: 'open' } }]);
    expect(run([status]).output).toMatchObject([{ kind: 'job', request: { method: 'session/status' } }]);
    expect(run([status, { kind: 'jobEnded', key: '0', result: null }]).output).toMatchObject([
      { id: 's', error: { code: -32002, data: { uri: FIRST } } },
    ]);
  });

  it.each(['session/delete', 'session/archive'])('does %s after it has closed the thread', (method) => {
    const remove = asked(method, { sessionId: FIRST }, 'd');
    const step = run([...openInputs, remove]);
    expect(step).toMatchObject({ output: [], ops: [{ kind: 'close', thread: { id: FIRST } }] });
    const closed = run([...openInputs, remove, { kind: 'done', callId: 'call-1', threadId: FIRST }]);
    expect(closed.output).toMatchObject([{ kind: 'job', request: { method } }]);
    expect(sessionOf(closed.state, FIRST)).toBeUndefined();
  });
});

describe('a session that is closed', () => {
  const close = asked('session/close', { sessionId: FIRST }, 'c');

  it('takes no prompt from the request on', () => {
    expect(run([...openInputs, close, promptOf('go')])).toMatchObject({
      output: [{ id: 'p', error: { code: -32002 } }],
      ops: [],
    });
  });

  it('is over if its thread was released before, and if the request is cancelled', () => {
    const released = { kind: 'rejected', callId: 'call-1', message: 'no such thread' } as unknown as AcpInput;
    const step = run([...openInputs, close, released]);
    expect(step.output).toMatchObject([{ id: 'c', result: {} }]);
    expect(sessionOf(step.state, FIRST)).toBeUndefined();
    const cancel = { kind: 'notification', method: '$/cancel_request', params: { requestId: 'c' } } as const;
    const cancelled = run([...openInputs, close, cancel]);
    expect(cancelled.output).toMatchObject([{ id: 'c', error: { code: -32800 } }]);
    expect(sessionOf(cancelled.state, FIRST)).toBeUndefined();
  });
});

describe('a login', () => {
  const forms = asked('initialize', { protocolVersion: 1, clientCapabilities: { elicitation: { url: {} } } }, 'i');
  const login = asked('authenticate', { methodId: 'chatgpt' }, 'a');
  const page = { kind: 'page', key: '0', url: 'https://a' } as const;
  const answer = (action: string) => ({ kind: 'response', id: 7, result: { action } }) as const;

  it('shows its page, and is over when the person has logged in', () => {
    expect(run([forms, login, page]).output).toEqual([
      {
        kind: 'request',
        id: 7,
        method: 'elicitation/create',
        params: { mode: 'url', requestId: 'a', elicitationId: '0', url: 'https://a', message: 'Log in at this page' },
      },
    ]);
    expect(run([forms, login, page, answer('accept')]).output).toEqual([]);
    expect(
      run([forms, login, page, answer('accept'), { kind: 'jobEnded', key: '0', result: {} }]).output,
    ).toMatchObject([
      { method: 'elicitation/complete', params: { elicitationId: '0' } },
      { id: 'a', result: {} },
    ]);
  });

  it('is the one that is there for a client that can open no page', () => {
    expect(run([login]).output).toMatchObject([{ kind: 'job', request: { params: { methodId: 'present' } } }]);
    expect(run([forms, login]).output).toMatchObject([{ kind: 'job', request: { params: { methodId: 'chatgpt' } } }]);
  });

  it('is stopped if the person does not open the page, or the request is cancelled', () => {
    const stopped = [
      { id: 'a', error: { code: -32800 } },
      { kind: 'drop', key: '0' },
    ];
    const cancel = { kind: 'notification', method: '$/cancel_request', params: { requestId: 'a' } } as const;
    expect(run([forms, login, page, answer('decline')]).output).toMatchObject(stopped);
    expect(run([forms, login, page, cancel]).output).toMatchObject(stopped);
    expect(run([forms, login, cancel, page]).output).toEqual([]);
  });
});

describe('the parts of a step', () => {
  const deps = depsOf();
  const session = sessionOf(run(openInputs).state, FIRST) as NonNullable<ReturnType<typeof sessionOf>>;

  it('offer the logins that the client can show', () => {
    const client = { ...newConnection.client, urls: true };
    expect(toAuthMethods(client).map(({ id }) => id)).toEqual(['chatgpt', 'present']);
    expect(toAuthMethods(newConnection.client).map(({ id }) => id)).toEqual(['present']);
  });

  it('compact a thread, and answer a command without a model', () => {
    const begin = (text: string) =>
      beginPrompt(deps, newConnection, { request: promptOf(text), session, blocks: [{ type: 'text', text }] });
    expect(begin('/compact').inputs).toMatchObject([{ kind: 'begin', op: { kind: 'compact' } }]);
    expect(begin('/status')).toMatchObject({
      output: [
        { params: { update: { sessionUpdate: 'agent_message_chunk' } } },
        { result: { stopReason: 'end_turn' } },
      ],
    });
  });

  it('forget the login by a command', () => {
    const step = run([...openInputs, promptOf('/logout')]);
    expect(step.output).toMatchObject([{ kind: 'job', key: '1', request: { method: 'logout' } }]);
    expect(run([...openInputs, promptOf('/logout'), { kind: 'jobEnded', key: '1', result: {} }]).output).toMatchObject([
      { id: 'p', result: { stopReason: 'end_turn' } },
    ]);
  });

  it('name a session by a command, and show the name', () => {
    const typed = [...openInputs, promptOf('/rename Herons')];
    expect(run(typed).output).toMatchObject([
      { kind: 'job', request: { method: RENAME, params: { sessionId: FIRST, title: 'Herons' } } },
    ]);
    const { state, output } = run([...typed, { kind: 'jobEnded', key: '1', result: { title: 'Herons' } }]);
    expect(output).toMatchObject([
      { params: { update: { sessionUpdate: 'session_info_update', title: 'Herons' } } },
      { id: 'p', result: { stopReason: 'end_turn' } },
    ]);
    expect(sessionOf(state, FIRST)?.isTitled).toBe(true);
    const gone = finishCommand(deps, newConnection, { request: promptOf('/rename x'), result: { title: 'x' } });
    expect(gone.output).toMatchObject([{ result: { stopReason: 'end_turn' } }]);
  });

  it('name a session by a request, whether it is open or stored', () => {
    const named = (title: string) => asked('session/set_title', { sessionId: FIRST, title }, 't');
    expect(run([...openInputs, named('The herons')]).output).toMatchObject([
      { kind: 'job', request: { method: RENAME } },
    ]);
    const done = run([
      ...openInputs,
      named('The herons'),
      { kind: 'jobEnded', key: '1', result: { title: 'The herons' } },
    ]);
    expect(done.output).toMatchObject([
      { params: { update: { sessionUpdate: 'session_info_update', title: 'The herons' } } },
      { id: 't', result: { title: 'The herons' } },
    ]);
    expect(run([...openInputs, named('')]).output).toMatchObject([{ id: 't', error: { code: -32602 } }]);

    expect(run([named('x')]).output).toMatchObject([{ kind: 'job', request: { method: 'session/set_title' } }]);
    const ended = (result: unknown) => run([named('x'), { kind: 'jobEnded', key: '0', result }]).output;
    expect(ended({ title: 'x' })).toEqual([expect.objectContaining({ id: 't', result: { title: 'x' } })]);
    expect(ended(null)).toMatchObject([{ id: 't', error: { code: -32002 } }]);
  });

  it('have names of an older client too', () => {
    const archive = asked('_session/archive', { sessionId: SECOND }, 'a');
    expect(run([archive]).output).toMatchObject([{ kind: 'job', request: { method: 'session/archive' } }]);
    expect(run([asked('authentication/logout')]).output).toMatchObject([
      { kind: 'job', request: { method: 'logout' } },
    ]);
  });

  it('open the copy of a thread, but of none whose turn runs', () => {
    const fork = asked('session/fork', { sessionId: FIRST, cwd: '/w' }, 'f');
    const made = { kind: 'jobEnded', key: '1', result: { id: SECOND, facts: factsWith() } } as const;
    expect(run([...openInputs, fork, made]).ops).toMatchObject([{ kind: 'open', thread: { id: SECOND } }]);
    const done = { kind: 'done', callId: 'call-1', threadId: SECOND } as const;
    expect(run([...openInputs, fork, made, done]).output).toMatchObject([{ kind: 'job', past: { lines: [] } }]);
    const replayed = { kind: 'jobEnded', key: '2', result: {} } as const;
    const { output } = run([...openInputs, fork, made, done, replayed]);
    expect(output).toMatchObject([{ id: 'f', result: { sessionId: SECOND, modes: {} } }, {}]);
    expect(run([...openInputs, promptOf('go'), fork]).output).toMatchObject([{ id: 'f', error: { code: -32600 } }]);
    expect(run([...openInputs, fork, { ...made, result: null }]).output).toMatchObject([{ error: { code: -32002 } }]);
  });

  it('show the past of a thread in pieces, and refuse its session if a prompt has begun meanwhile', () => {
    const load = (method: string) => asked(method, { sessionId: FIRST, cwd: '/w', mcpServers: [] }, 'l');
    const { view } = sessionOf(run(openInputs).state, FIRST) as Session;
    const piece = showText(view, 'user_message_chunk', 'hello');
    const loading = (method: string): typeof openInputs => [
      ...openInputs,
      load(method),
      { kind: 'jobEnded', key: '1', result: factsWith() },
      { kind: 'done', callId: 'call-1', threadId: FIRST },
      { kind: 'past', key: '2', shown: piece },
    ];
    const ended = { kind: 'jobEnded', key: '2', result: {} } as const;
    expect(run(loading('session/load')).output).toMatchObject([{ params: { update: { messageId: `${FIRST}.1` } } }]);
    expect(run(loading('session/resume')).output).toEqual([]);
    const { state, output } = run([...loading('session/resume'), ended]);
    expect(output).toMatchObject([{ id: 'l', result: { modes: {} } }, {}]);
    expect(sessionOf(state, FIRST)).toMatchObject({ view: { messages: 1 }, isTitled: true });
    expect(run([...loading('session/load'), promptOf('go'), ended]).output).toMatchObject([
      { id: 'l', error: { code: -32600 } },
    ]);
    const cancel = { kind: 'notification', method: '$/cancel_request', params: { requestId: 'l' } } as const;
    expect(run([...loading('session/load'), cancel]).output).toMatchObject([
      { id: 'l', error: { code: -32800 } },
      { kind: 'drop', key: '2' },
    ]);
    expect(run([...loading('session/load'), cancel, { kind: 'past', key: '2', shown: piece }]).output).toEqual([]);
  });

  it('answer only what waits', () => {
    const { state, output } = withoutJobs(run([openInputs[0] as AcpInput]).state, ({ id }) => id === 'x', {
      code: -1,
      message: 'no',
    });
    expect(output).toEqual([]);
    expect(endJob(state, '0').request?.id).toBe('n');
    expect(endJob(state, '9').request).toBeUndefined();
  });

  it('refuse what another thread is doing, and a method that is not there', () => {
    const busy: Connection = run([...openInputs, promptOf('go')]).state;
    const request = asked('session/load', { sessionId: FIRST, cwd: '/w' }, 'l');
    expect(openThread(deps, busy, { request, facts: factsWith() }).output).toMatchObject([{ error: { code: -32600 } }]);
    expect(() => receiveRequest(deps, newConnection, asked('session/nope'))).toThrow(/Method not found/);
  });

  it('show nothing of a session that was closed', () => {
    const call = {
      callId: 'c',
      requestId: 'p',
      asksBy: 'request',
      caller: { request: promptOf('x'), sessionId: 'x' },
    } as const;
    expect(
      receivePrompt(newConnection, { kind: 'event', call, event: question('a', 0), delivery: 'live' }).output,
    ).toEqual([]);
  });

  it('write an error in one short line', () => {
    expect(toSentence(' a\n  b\n')).toBe('a; b');
    expect(toSentence('x'.repeat(1_000)).length).toBeLessThan(400);
  });
});
