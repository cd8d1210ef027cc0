import { reduceTurn, type TurnInput, type TurnOutput } from '../../../../src/agent/appServer/turns/reduceTurn';
import { initialTurn, type TurnState } from '../../../../src/agent/appServer/turns/turnState';
import { turnEvent } from '../../../../src/agent/turns/turnEvents';
import type { ReviewResult } from '../../../../src/protocol/codex/engine';
import type { EventMsg } from '../../../../src/protocol/codex/eventMsg';
import type { TurnOp } from '../../../../src/protocol/codex/operations';
import type { JsonObject } from '../../../../src/protocol/jsonrpc/json';
import type { Request } from '../../../../src/protocol/jsonrpc/messages';
import { notification, THREAD } from '../connection/link';
import { turn } from '../support';

const op = turn('a', 'go') as TurnOp;
const event = (msg: EventMsg, turnId = 'u') => turnEvent({ op, threadId: THREAD, turnId }, msg);
const reduce = reduceTurn({ op, threadId: THREAD });
const reduceAll = (...inputs: TurnInput[]) =>
  inputs.reduce<{ state: TurnState; output: TurnOutput[] }>(
    ({ state, output }, input) => {
      const step = reduce(state, input);
      return { state: step.state, output: [...output, ...step.output] };
    },
    { state: initialTurn, output: [] },
  );
/** What the last of the inputs brings about. */
const lastOutput = (...inputs: TurnInput[]): readonly TurnOutput[] =>
  reduce(reduceAll(...inputs.slice(0, -1)).state, inputs.at(-1) as TurnInput).output;

const begun: TurnInput = { kind: 'begun', turnId: 'u' };
const item = (method: string, more: JsonObject): TurnInput => notification(method, { item: { id: 'i', ...more } });
const command = item('item/started', { type: 'commandExecution', source: 'user', command: 'ls', cwd: '/' });
const message = item('item/completed', { type: 'agentMessage', text: 'hi' });
const ends = (status: string, error?: JsonObject): TurnInput =>
  notification('turn/completed', { turn: { id: 'u', status, error } });
const commandEnd = event({
  type: 'exec_command_end',
  call_id: 'i',
  stdout: '',
  stderr: '',
  aggregated_output: '',
  formatted_output: '',
  exit_code: -1,
  duration: { secs: 0, nanos: 0 },
});
const complete = (last_agent_message: string | null) => event({ type: 'task_complete', last_agent_message });
const aborted = event({ type: 'turn_aborted', reason: 'interrupted' });
const error = (text: string) => event({ type: 'error', message: text });
const endCommands: TurnOutput = { kind: 'endCommands' };
const failed: TurnInput = { kind: 'ended', end: { kind: 'failed', message: 'gone' } };

describe('reduceTurn', () => {
  it('emits under the id of the turn, once it is known', () => {
    const started = notification('turn/started');
    const msg: EventMsg = { type: 'task_started', model_context_window: null };
    expect(lastOutput(started)).toEqual([event(msg, '')]);
    expect(lastOutput(begun, started)).toEqual([event(msg)]);
  });

  it.each<[string, TurnInput[], TurnOutput[]]>([
    ['a turn that finished', [message, ends('completed')], [complete('hi')]],
    ['a turn without a message', [ends('completed')], [complete(null)]],
    ['a turn that was interrupted', [ends('interrupted')], [aborted]],
    ['a turn that failed', [message, ends('failed', { message: 'no model' })], [error('no model'), complete(null)]],
    ['a turn whose server is gone', [message, failed], [error('gone'), complete(null)]],
    ['a turn that was interrupted in a command', [command, ends('interrupted')], [endCommands, commandEnd, aborted]],
    ['a turn that finished before its command, not yet', [command, ends('completed')], []],
    [
      'a turn that finished, whose command does not end',
      [command, ends('completed'), { kind: 'ended', end: { kind: 'completed' } }],
      [commandEnd, complete(null)],
    ],
    ['a final error, not yet', [notification('error', { error: { message: 'over' } })], []],
    [
      'a turn that was stopped, whatever the server calls it',
      [{ kind: 'stopping', stop: { kind: 'expired', message: 'too long' } }, ends('completed')],
      [error('too long'), aborted],
    ],
    [
      'a turn that was stopped twice, by the first reason',
      [
        { kind: 'stopping', stop: { kind: 'interrupted' } },
        { kind: 'stopping', stop: { kind: 'expired', message: 'too long' } },
        failed,
      ],
      [aborted],
    ],
  ])('ends %s', (_, inputs, expected) => {
    expect(lastOutput(begun, ...inputs)).toEqual(expected);
  });
});

describe('a question', () => {
  const requests: Record<'command' | 'patch' | 'form', Request> = {
    command: {
      kind: 'request',
      id: 0,
      method: 'item/commandExecution/requestApproval',
      params: { itemId: 'i', command: 'touch x', cwd: '/w' },
    },
    patch: { kind: 'request', id: 0, method: 'item/fileChange/requestApproval', params: { itemId: 'i' } },
    form: {
      kind: 'request',
      id: 0,
      method: 'mcpServer/elicitation/request',
      params: { serverName: 's', message: 'm' },
    },
  };
  const items: Record<keyof typeof requests, TurnInput[]> = {
    command: [item('item/started', { type: 'commandExecution', source: 'agent', command: 'touch x', cwd: '/w' })],
    patch: [
      item('item/started', { type: 'fileChange', changes: [{ path: '/w/f', kind: { type: 'add' }, diff: 'x' }] }),
    ],
    form: [],
  };
  const changes = { '/w/f': { add: { content: 'x' } } };
  const begins = {
    command: event({ type: 'exec_command_begin', call_id: 'i', command: ['touch', 'x'], cwd: '/w', parsed_cmd: [] }),
    patch: event({ type: 'patch_apply_begin', call_id: 'i', auto_approved: false, changes }),
  };
  const declined = (what: string, reason?: string): TurnOutput => ({
    kind: 'declined',
    callId: 'a',
    what,
    reason,
    question: 7,
  });
  const NOBODY = 'nobody answered';

  it.each([
    ['command', { type: 'exec_approval_request', call_id: 'i', command: ['touch', 'x'], cwd: '/w' }, {}],
    ['patch', { type: 'apply_patch_approval_request', call_id: 'i', changes }, {}],
    ['form', { type: 'elicitation_request', server_name: 's', message: 'm' }, { covers: 'once' }],
  ] as const)('about a %s goes to the client', (kind, msg, covered) => {
    const request = requests[kind];
    const output = lastOutput(begun, ...items[kind], request, { kind: 'asked', request, question: 7 });
    expect(output).toEqual([{ ...event(msg as EventMsg), question: 7, ...covered }]);
  });

  it.each<[string, keyof typeof requests, ReviewResult, JsonObject, TurnOutput[]]>([
    [
      'begins a command that was approved',
      'command',
      { decision: 'approved' },
      { decision: 'accept' },
      [begins.command],
    ],
    [
      'begins one that is approved for the session',
      'command',
      { decision: 'approved_for_session' },
      { decision: 'acceptForSession' },
      [begins.command],
    ],
    [
      'begins nothing that a person declined, and names it',
      'command',
      { decision: 'denied' },
      { decision: 'decline' },
      [declined('`touch x`')],
    ],
    [
      'names what was stopped',
      'command',
      { decision: 'abort' },
      { decision: 'cancel' },
      [declined('`touch x`', 'the user stopped the turn at this question')],
    ],
    [
      'names what was declined for want of an answer',
      'command',
      { decision: 'denied', reason: NOBODY },
      { decision: 'decline' },
      [declined('`touch x`', NOBODY)],
    ],
    ['begins a patch', 'patch', { decision: 'approved' }, { decision: 'accept' }, [begins.patch]],
    [
      'names a patch by its files',
      'patch',
      { decision: 'denied', reason: NOBODY },
      { decision: 'decline' },
      [declined('changes to /w/f', NOBODY)],
    ],
    ['answers an MCP server', 'form', { decision: 'approved' }, { action: 'accept', content: {} }, []],
    [
      'names the question of an MCP server by its message',
      'form',
      { decision: 'denied', reason: NOBODY },
      { action: 'decline', content: null },
      [declined('s: m', NOBODY)],
    ],
  ])('%s', (_, kind, review, result, events) => {
    const request = requests[kind];
    const decided: TurnInput = { kind: 'decided', request, decision: { ...review, question: 7 } };
    expect(lastOutput(begun, ...items[kind], request, decided)).toEqual([
      { kind: 'respond', id: 0, result },
      ...events,
    ]);
  });

  it('that the server withdraws is named to the caller', () => {
    const request = requests.command;
    expect(lastOutput(begun, request, { kind: 'withdrawn', request, question: 7 })).toEqual([
      declined('`touch x`', 'Codex withdrew the question'),
    ]);
  });

  it('of another turn is declined', () => {
    expect(lastOutput(begun, { kind: 'foreign', request: requests.command })).toEqual([
      { kind: 'respond', id: 0, result: { decision: 'decline' } },
    ]);
  });
});
