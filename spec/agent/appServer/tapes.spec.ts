/** The engine in front of recorded servers: their turns as `codex/event`, the questions, and the messages that they were sent. */

import type { ReviewResult } from '../../../src/protocol/codex/engine';
import type { EventMsg } from '../../../src/protocol/codex/eventMsg';
import type { Event } from '../../../src/protocol/codex/events';
import type { Op } from '../../../src/protocol/codex/operations';
import type { RpcOutgoing } from '../../../src/protocol/rpc/messages';
import { marbles } from '../../support/marbles';
import { depsOf, inShort, personSaying, played, turn } from './support';
import { tapeServer } from './tapeServer';

const yes: ReviewResult = { decision: 'approved' };
const always: ReviewResult = { decision: 'approved_for_session' };
const no: ReviewResult = { decision: 'denied' };
const stop: ReviewResult = { decision: 'abort' };

/** `a` begins a thread, `b` to `e` go on with it, `1` to `3` cancel `a` to `c`. */
const reply = (callId: string): Op => turn(callId, callId, { newest: true });
const ops: Record<string, Op> = {
  a: turn('a', 'go'),
  b: reply('b'),
  c: reply('c'),
  d: reply('d'),
  e: reply('e'),
  1: { kind: 'interrupt', callId: 'a' },
  2: { kind: 'interrupt', callId: 'b' },
  3: { kind: 'interrupt', callId: 'c' },
};

type Play = { op?: string; verdicts?: ReviewResult[]; given?: Record<string, Op>; rollout?: string };

/** Plays calls against a tape, whose person gives these answers in turn. */
const play = (name: string, { op = 'a', verdicts = [yes], given = ops, rollout }: Play = {}) => {
  const sent: RpcOutgoing[] = [];
  const events: Event[] = [];
  const deps = depsOf(tapeServer(name, sent), { readRollout: () => rollout, showsRawReasoning: () => true });
  marbles((helpers) => {
    events.push(...played(helpers, helpers.hot<Op>(op, given), deps, personSaying(...verdicts)));
  })();
  return { sent, events, of: <T extends EventMsg['type']>(type: T) => msgsOf(events, type) };
};

const msgsOf = <T extends EventMsg['type']>(events: readonly Event[], type: T) =>
  events.flatMap((event) => (event.kind === 'event' && event.msg.type === type ? [event.msg] : [])) as Extract<
    EventMsg,
    { type: T }
  >[];

/** The events of each call, in a word each. */
const wordsOf = (events: readonly Event[]): Record<string, string> =>
  Object.fromEntries(
    [...new Set(events.map(({ callId }) => callId))].map((callId) => [
      callId,
      events
        .filter((event) => event.callId === callId)
        .map(inShort)
        .join(' '),
    ]),
  );

/** What the client sent after the handshake, in short. */
const sayings = (sent: readonly RpcOutgoing[]): string[] =>
  sent.slice(2).map((sent) => {
    if (sent.kind === 'response' && 'result' in sent) return `${sent.id}: ${JSON.stringify(sent.result)}`;
    return 'method' in sent ? sent.method : sent.kind;
  });

const deltas = (count: number): string => Array(count).fill('agent_message_delta').join(' ');
const BEGIN = 'warning task_started';
const EXEC = 'exec_command_begin exec_command_end';
const PATCH = 'patch_apply_begin patch_apply_end turn_diff';
const DONE = 'agent_message token_count task_complete';

describe.each(['v0.142.0', 'v0.169.0'])('a command that has to be approved, in app-server %s', (version) => {
  const session = () =>
    play(`${version}-approval_exec`, { op: 'a 200ms b 200ms c 200ms d 200ms e', verdicts: [yes, no, stop, always] });
  const answer = `${deltas(2)} ${DONE}`;

  it('runs on a yes, does not on a no, ends the turn on an abort, and is not asked about again', () => {
    expect(wordsOf(session().events)).toEqual({
      a: `session_configured ${BEGIN} exec_approval_request ${EXEC} token_count ${answer}`,
      b: `${BEGIN} exec_approval_request declined token_count ${answer}`,
      c: `${BEGIN} exec_approval_request declined token_count turn_aborted`,
      d: `${BEGIN} exec_approval_request ${EXEC} token_count ${answer}`,
      e: `${BEGIN} ${EXEC} token_count ${answer}`,
    });
  });

  it('is asked in the terms of the client, and answered in those of the server', () => {
    const { sent, of } = session();
    const command = ['/bin/bash', '-lc', 'touch ../escaped.txt && echo made'];
    expect(of('exec_approval_request')).toEqual(
      Array(4).fill({
        type: 'exec_approval_request',
        call_id: expect.any(String),
        command,
        cwd: '$CWD',
        reason: expect.stringMatching(/\S/),
      }),
    );
    expect(of('exec_command_begin')[0]).toMatchObject({ command, cwd: '$CWD' });
    expect(sayings(sent)).toEqual([
      'thread/start',
      'turn/start',
      '0: {"decision":"accept"}',
      'turn/start',
      '1: {"decision":"decline"}',
      'turn/start',
      '2: {"decision":"cancel"}',
      'turn/start',
      '3: {"decision":"acceptForSession"}',
      'turn/start',
    ]);
  });
});

describe('what is written to app-server', () => {
  it('is a handshake, a thread, a turn, an answer', () => {
    const { sent } = play('v0.169.0-approval_exec');
    const threadId = '01a1fada-969a-7822-8e80-61778f67d168';
    expect(sent).toEqual([
      {
        kind: 'request',
        id: 1,
        method: 'initialize',
        params: {
          clientInfo: { name: 'codex-rx', title: 'codex-rx', version: '1.2.3' },
          capabilities: { experimentalApi: true },
        },
      },
      { kind: 'notification', method: 'initialized', params: {} },
      { kind: 'request', id: 2, method: 'thread/start', params: {} },
      { kind: 'request', id: 3, method: 'turn/start', params: { threadId, input: [{ type: 'text', text: 'go' }] } },
      { kind: 'response', id: 0, result: { decision: 'accept' } },
    ]);
  });
});

describe('a command in app-server', () => {
  it('is emitted with its output, its exit code and its end, which may come after that of the turn', () => {
    const { events, of } = play('v0.142.0-exec', { op: 'a 300ms b 300ms c' });
    expect(wordsOf(events)).toEqual({
      a: `session_configured ${BEGIN} ${EXEC} token_count ${deltas(2)} ${DONE}`,
      b: `${BEGIN} ${EXEC} token_count ${deltas(2)} ${DONE}`,
      c: `${BEGIN} exec_command_begin exec_command_output_delta exec_command_output_delta token_count ${deltas(1)} agent_message token_count exec_command_end task_complete`,
    });
    expect(of('exec_command_end')).toMatchObject([
      { exit_code: 0, stdout: 'hi\nerr\n$CWD\n', stderr: '' },
      { exit_code: 3, stdout: 'out\n' },
      { exit_code: 0, stdout: 'line 2\nline 3\n', duration: { secs: expect.any(Number) } },
    ]);
    expect(of('exec_command_output_delta').map(({ chunk }) => String(chunk))).toEqual(['line 2\n', 'line 3\n']);
    expect(of('task_complete').map((msg) => msg.last_agent_message)).toEqual([
      'Command done.',
      'It failed with 3.',
      'Long done.',
    ]);
  });
});

describe('a patch in app-server', () => {
  it('is asked about with its files, and begins on a yes', () => {
    const { events, sent, of } = play('v0.169.0-patchdel');
    const patch = `apply_patch_approval_request ${PATCH} token_count`;
    expect(wordsOf(events).a).toBe(
      `session_configured ${BEGIN} ${patch} ${patch} ${patch} ${deltas(2)} agent_message token_count task_complete`,
    );
    const changes = of('apply_patch_approval_request').map((msg) => msg.changes);
    expect(changes).toEqual([
      { '$CWD/hello.txt': { add: { content: expect.any(String) } } },
      { '$CWD/hello.txt': { update: { unified_diff: expect.any(String), move_path: '$CWD/moved.txt' } } },
      { '$CWD/moved.txt': { delete: { content: expect.any(String) } } },
    ]);
    expect(of('patch_apply_begin')).toMatchObject(changes.map((each) => ({ auto_approved: false, changes: each })));
    expect(of('patch_apply_end').map(({ stdout }) => stdout.split('\n')[1])).toEqual([
      'A $CWD/hello.txt',
      'M $CWD/hello.txt',
      'D $CWD/moved.txt',
    ]);
    expect(sayings(sent).slice(2)).toEqual([0, 1, 2].map((id) => `${id}: {"decision":"accept"}`));
  });

  it('neither begins nor ends on a no', () => {
    const { events, sent } = play('v0.142.0-approval_patch_decline', { verdicts: [no] });
    expect(wordsOf(events).a).toBe(
      `session_configured ${BEGIN} apply_patch_approval_request declined token_count ${deltas(1)} ${DONE}`,
    );
    expect(sayings(sent).at(-1)).toBe('0: {"decision":"decline"}');
  });
});

describe.each(['v0.142.0', 'v0.169.0'])('a turn that is cancelled, in app-server %s', (version) => {
  it('ends with what it had open, and its commands end as well', () => {
    const { events, sent } = play(`${version}-interrupt`, { op: 'a 892ms 1 2s b 400ms 2 2s c 900ms 3' });
    expect(wordsOf(events)).toEqual({
      a: `session_configured ${BEGIN} ${deltas(3)} turn_aborted`,
      b: `${BEGIN} turn_aborted`,
      c: expect.stringMatching(`^${BEGIN} exec_command_begin (token_count )?exec_command_end turn_aborted$`),
    });
    expect(sayings(sent)).toEqual([
      'thread/start',
      'turn/start',
      'turn/interrupt',
      'turn/start',
      'turn/interrupt',
      'turn/start',
      'turn/interrupt',
      'thread/backgroundTerminals/clean',
    ]);
  });

  it('never begins when it is cancelled before there is a server', () => {
    const { events, sent } = play(`${version}-interrupt`, { op: 'a1' });
    expect(wordsOf(events)).toEqual({ a: 'turn_aborted' });
    expect(sent.map((sent) => 'method' in sent && sent.method)).toEqual(['initialize', 'initialized']);
  });
});

describe.each(['v0.142.0', 'v0.169.0'])('a stored thread in app-server %s', (version) => {
  const threadId =
    version === 'v0.142.0' ? '01a1faf8-cf6f-7913-8230-3aec1860d57b' : '01a1faf8-dd3a-7183-a374-612b3082071f';
  const given = { a: turn('a', 'go', { id: threadId.toUpperCase() }) };

  it('is loaded, and goes on with the settings of its rollout', () => {
    const payload = {
      approval_policy: 'untrusted',
      sandbox_policy: { type: 'workspace-write', network_access: false },
    };
    const rollout = `${JSON.stringify({ type: 'turn_context', payload })}\n`;
    const { events, sent } = play(`${version}-cold_resume`, { given, rollout });
    expect(wordsOf(events).a).toBe(`${BEGIN} ${EXEC} token_count ${deltas(1)} ${DONE}`);
    expect(sent.slice(2)).toMatchObject([
      { method: 'thread/resume', params: { threadId, excludeTurns: true } },
      {
        method: 'turn/start',
        params: {
          threadId,
          approvalPolicy: 'untrusted',
          sandboxPolicy: { type: 'workspaceWrite', networkAccess: false },
        },
      },
    ]);
  });
});

describe.each(['v0.142.0', 'v0.169.0'])('a model that fails, behind app-server %s', (version) => {
  it('is emitted while it is retried, with the reason when it is given up', () => {
    const { events, of } = play(`${version}-retries`, { op: 'a 2s b' });
    const cut = 'agent_message_delta stream_error';
    expect(wordsOf(events)).toEqual({
      a: `session_configured ${BEGIN} ${cut} ${cut} agent_message_delta error task_complete`,
      b: `${BEGIN} stream_error stream_error error task_complete`,
    });
    expect(of('stream_error').map(({ message }) => message)).toEqual([
      'Reconnecting... 1/2',
      'Reconnecting... 2/2',
      'Reconnecting... 1/2',
      'Reconnecting... 2/2',
    ]);
    expect(of('error').map(({ message }) => message.split('\n')[0])).toEqual([
      expect.stringContaining('stream disconnected before completion'),
      expect.stringContaining('high demand'),
    ]);
    expect(of('task_complete').map((msg) => msg.last_agent_message)).toEqual([null, null]);
  });
});

describe('an app-server that is killed', () => {
  it('fails its turn, with the way it ended', () => {
    const { events, of } = play('v0.169.0-sig_SIGTERM');
    expect(wordsOf(events).a).toBe(`session_configured ${BEGIN} ${deltas(2)} error task_complete`);
    expect(of('error')).toEqual([{ type: 'error', message: 'exit code 0' }]);
  });
});

describe('tools of MCP servers of app-server', () => {
  it('are called, asked about, and may ask the person themselves', () => {
    const form: ReviewResult = { decision: 'approved', form: { ok: true } };
    const { events, sent, of } = play('v0.169.0-mcp_tools', {
      op: 'a 2s b 2s c 2s d',
      verdicts: [yes, no, form],
    });
    const call = 'mcp_tool_call_begin mcp_tool_call_end token_count';
    const asked = 'mcp_tool_call_begin elicitation_request mcp_tool_call_end token_count';
    const declined = 'mcp_tool_call_begin elicitation_request declined mcp_tool_call_end token_count';
    expect(wordsOf(events)).toEqual({
      a: `session_configured mcp_startup_update warning mcp_startup_update task_started ${call} ${deltas(2)} ${DONE}`,
      b: `${BEGIN} ${asked} ${deltas(1)} ${DONE}`,
      c: `${BEGIN} ${declined} ${deltas(1)} ${DONE}`,
      d: `${BEGIN} ${asked} ${deltas(2)} ${DONE}`,
    });
    expect(sayings(sent).filter((each) => /^\d/.test(each))).toEqual([
      '0: {"action":"accept","content":{}}',
      '1: {"action":"decline","content":null}',
      '4: {"action":"accept","content":{"ok":true}}',
    ]);
    expect(of('elicitation_request')).toMatchObject([
      { server_name: 'probe', message: expect.stringMatching(/\S/) },
      { server_name: 'probe' },
      { server_name: 'probe', requested_schema: { properties: { ok: {} } } },
    ]);
    expect(of('elicitation_request')[0]).not.toHaveProperty('requested_schema');
    expect(of('mcp_tool_call_end').map(({ result }) => Object.keys(result)[0])).toEqual(['Ok', 'Ok', 'Err', 'Ok']);
  });
});

describe('what an agent thinks in app-server', () => {
  it('is emitted as plans and as reasoning', () => {
    const { events, of } = play('v0.142.0-plan_reason', { op: 'a 500ms b 500ms c' });
    expect(wordsOf(events)).toEqual({
      a: `session_configured ${BEGIN} plan_update token_count plan_update token_count ${deltas(1)} ${DONE}`,
      b: `${BEGIN} agent_reasoning_section_break agent_reasoning_delta agent_reasoning_delta agent_reasoning_delta agent_reasoning_raw_content_delta agent_reasoning_raw_content_delta agent_reasoning agent_reasoning_raw_content ${deltas(2)} ${DONE}`,
      c: `${BEGIN} web_search_begin web_search_end ${deltas(1)} ${DONE}`,
    });
    expect(of('plan_update').map(({ plan }) => plan.map(({ status }) => status))).toEqual([
      ['in_progress', 'pending'],
      ['completed', 'in_progress'],
    ]);
    expect(of('agent_reasoning')).toEqual([{ type: 'agent_reasoning', text: '**Thinking** about it carefully.' }]);
    expect(of('agent_reasoning_raw_content')).toEqual([
      { type: 'agent_reasoning_raw_content', text: 'raw chain text here' },
    ]);
  });
});
