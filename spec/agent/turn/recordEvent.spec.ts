import { recordEvent } from '../../../src/agent/turn/recordTurn';
import type { EventMsg } from '../../../src/protocol/codex/eventMsg';
import { config } from '../support';

const entriesOf = (msg: EventMsg, own = {}) =>
  recordEvent(
    { turnId: 't', config: config(own), nowMs: 5_999 },
    { kind: 'event', callId: 'a', threadId: 'n', turnId: 't', id: 'e', msg },
  );
const event = (payload: object) => ({ type: 'event_msg', payload });

const tokens = (count: number) => ({
  input_tokens: count,
  cached_input_tokens: 0,
  output_tokens: count,
  reasoning_output_tokens: 0,
  total_tokens: 2 * count,
});

describe('recordEvent', () => {
  it('records the settings of a turn where it begins', () => {
    expect(entriesOf({ type: 'task_started', model_context_window: 1_000 })).toEqual([
      event({ type: 'task_started', model_context_window: 1_000, turn_id: 't', started_at: 5 }),
      {
        type: 'turn_context',
        payload: {
          turn_id: 't',
          cwd: '/repo',
          approval_policy: 'on-request',
          model: 'm',
          effort: 'medium',
          summary: 'auto',
          sandbox_policy: { type: 'danger-full-access' },
        },
      },
    ]);
  });

  it('records what may be written to', () => {
    const [, context] = entriesOf(
      { type: 'task_started', model_context_window: null },
      { sandboxMode: 'workspace-write' },
    );
    expect(context?.payload).toMatchObject({
      sandbox_policy: {
        type: 'workspace-write',
        writable_roots: [],
        network_access: false,
        exclude_tmpdir_env_var: false,
        exclude_slash_tmp: false,
      },
    });
  });

  it.each<[EventMsg, object[]]>([
    [{ type: 'agent_message', message: 'a' }, [{ type: 'agent_message', message: 'a', phase: null }]],
    [{ type: 'agent_reasoning', text: 'a' }, [{ type: 'agent_reasoning', text: 'a' }]],
    [
      { type: 'token_count', ...tokens(1), total: tokens(3), turn: tokens(2) },
      [
        {
          type: 'token_count',
          info: {
            total_token_usage: tokens(3),
            last_token_usage: tokens(1),
            model_context_window: config().contextWindow,
          },
          rate_limits: null,
        },
      ],
    ],
    [{ type: 'error', message: 'a' }, [{ type: 'error', message: 'a' }]],
    [
      { type: 'task_complete', last_agent_message: 'a' },
      [{ type: 'task_complete', last_agent_message: 'a', turn_id: 't' }],
    ],
    [{ type: 'turn_aborted', reason: 'interrupted' }, [{ type: 'turn_aborted', reason: 'interrupted', turn_id: 't' }]],
    [{ type: 'agent_message_delta', delta: 'a', item_id: '' }, []],
    [{ type: 'background_event', message: 'a' }, []],
  ])('records %j', (msg, payloads) => {
    expect(entriesOf(msg)).toEqual(payloads.map(event));
  });

  it('records nothing of deltas and refusals', () => {
    const turn = { turnId: 't', config: config(), nowMs: 0 };
    expect(recordEvent(turn, { kind: 'declined', callId: 'a', what: 'x' })).toEqual([]);
  });
});
