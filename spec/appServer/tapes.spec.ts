/** The engine in front of recorded servers: what a turn of theirs is in `codex/event`, and what they were told. */
import type { Sent } from '../../src/executor';
import type { Event, EventMsg, Verdict } from '../../src/protocol';
import { marbles } from '../support/marbles';
import { depsOf, inShort, personSaying, played, turn } from './support';
import { tapeServer } from './tapeServer';

const yes: Verdict = { decision: 'approved' };
const always: Verdict = { decision: 'approved_for_session' };
const no: Verdict = { decision: 'denied' };
const stop: Verdict = { decision: 'abort' };

const methodOf = (sent: Sent): string => ('method' in sent ? sent.method : 'answer');

/** One call of a server that was recorded, whose person gives one answer to all. */
const run = (name: string, verdict: Verdict = yes) => {
  const said: Sent[] = [];
  let events: Event[] = [];
  marbles((helpers) => {
    const op$ = helpers.hot('a', { a: turn('a', 'go') });
    events = played(helpers, op$, depsOf(tapeServer(name, said)), personSaying(verdict));
  })();
  const find = <T extends EventMsg['type']>(type: T) =>
    events.flatMap((event) => (event.kind === 'told' && event.msg.type === type ? [event.msg] : [])) as Extract<
      EventMsg,
      { type: T }
    >[];
  return { events, said, find };
};

const EXEC = 'exec_command_begin exec_command_end token_count';
const ANSWER = 'agent_message token_count task_complete';

describe('a turn in a recorded app-server', () => {
  it.each([
    ['v0.142.0-exec', yes, `${EXEC} agent_message_delta agent_message_delta ${ANSWER}`],
    ['v0.142.0-approval_exec', yes, `exec_approval_request ${EXEC} agent_message_delta agent_message_delta ${ANSWER}`],
    [
      'v0.142.0-interrupt',
      yes,
      'agent_message_delta agent_message_delta agent_message_delta error turn_aborted', // nobody stops it here but time
    ],
    [
      'v0.142.0-retries',
      yes,
      'agent_message_delta stream_error agent_message_delta stream_error agent_message_delta error task_complete',
    ],
    [
      'v0.169.0-approval_patch_accept',
      yes,
      `apply_patch_approval_request patch_apply_begin patch_apply_end turn_diff token_count agent_message_delta ${ANSWER}`,
    ],
    ['v0.169.0-approval_patch_decline', no, `apply_patch_approval_request token_count agent_message_delta ${ANSWER}`],
    [
      'v0.169.0-mcp_tools',
      yes,
      `mcp_tool_call_begin mcp_tool_call_end token_count agent_message_delta agent_message_delta ${ANSWER}`,
    ],
    [
      'v0.169.0-diff_git',
      yes,
      `patch_apply_begin patch_apply_end turn_diff token_count patch_apply_begin patch_apply_end turn_diff token_count agent_message_delta agent_message_delta ${ANSWER}`,
    ],
  ])('%s is told in the events of the MCP server', (name, verdict, expected) => {
    const { events, said } = run(name, verdict);
    expect(events.map(inShort).join(' ')).toBe(`session_configured warning task_started ${expected}`);
    expect(said.map(methodOf).slice(0, 4)).toEqual(['initialize', 'initialized', 'thread/start', 'turn/start']);
  });

  it.each([
    [yes, 'accept'],
    [always, 'acceptForSession'],
    [no, 'decline'],
    [stop, 'cancel'],
  ])('is told what the person decided: %j is %s', (verdict, decision) => {
    const { said } = run('v0.142.0-approval_exec', verdict);
    expect(said.filter(({ kind }) => kind === 'response')).toMatchObject([{ id: 0, result: { decision } }]);
  });

  it('asks about a command in its words, and about a patch with its files', () => {
    const [command] = run('v0.142.0-approval_exec').find('exec_approval_request');
    expect(command).toMatchObject({ command: ['/bin/bash', '-lc', expect.any(String)], cwd: '$CWD' });
    const [patch] = run('v0.169.0-approval_patch_accept').find('apply_patch_approval_request');
    expect(Object.keys(patch?.changes ?? {})).toHaveLength(1);
  });

  it('tells what a command said and how it ended, and what a tool gave', () => {
    const [end] = run('v0.142.0-exec').find('exec_command_end');
    expect(end).toMatchObject({ exit_code: 0, stdout: expect.stringMatching(/\S/) });
    const [call] = run('v0.169.0-mcp_tools').find('mcp_tool_call_end');
    expect(call).toMatchObject({ invocation: { server: expect.any(String) }, result: { Ok: expect.anything() } });
  });

  it('tells plans', () => {
    const [first, second] = run('v0.142.0-plan_reason').find('plan_update');
    expect(first?.plan.map(({ status }) => status)).toContain('in_progress');
    expect(second?.plan).not.toEqual(first?.plan);
  });

  it('tells why a turn failed that the server could not retry any more', () => {
    const { find } = run('v0.142.0-retries');
    expect(find('error')).toMatchObject([{ message: expect.stringMatching(/\S/) }]);
    expect(find('task_complete')).toMatchObject([{ last_agent_message: null }]);
  });
});
