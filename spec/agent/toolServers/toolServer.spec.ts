import { NEVER, type Observable } from 'rxjs';
import {
  type CallEvent,
  type OfferedTool,
  type ServerCall,
  serverTool,
} from '../../../src/agent/toolServers/toolServer';
import type { Assessment, ToolCall, ToolEvent } from '../../../src/agent/tools/tool';
import type { ReviewResult } from '../../../src/protocol/codex/engine';
import type { ApprovalPolicy } from '../../../src/protocol/codex/settings';
import { shorten } from '../../../src/protocol/model/shorten';
import type { ApprovalMode } from '../../../src/settings/config';
import { marbles } from '../../support/marbles';

const offered = (event$: Observable<CallEvent> = NEVER, isReadOnly = false): OfferedTool => ({
  spec: { type: 'function', name: 's__t', description: '', strict: false, parameters: {} },
  server: 's',
  tool: 't',
  isReadOnly,
  call: () => event$,
});
const call = (args: string, approved: string[] = []): ToolCall => ({
  callId: 'c',
  args,
  isApproved: (key) => approved.includes(key),
});

describe('serverTool', () => {
  describe('assesses', () => {
    const plan = { callId: 'c', args: { x: 1 } };
    const run = { verdict: 'run', plan };
    const ask = {
      verdict: 'ask',
      plan,
      approval: {
        msg: { type: 'elicitation_request', server_name: 's', message: 'May the tool t({"x":1}) be called?' },
        subject: 's/t({"x":1})',
        what: 'tool call',
        covers: 'tool',
        keys: ['tool ["s","t"]'],
      },
    };
    const assessed = (policy: ApprovalPolicy, made: ToolCall, isReadOnly = false): Assessment<ServerCall>[] => {
      const all: Assessment<ServerCall>[] = [];
      const tool = serverTool({ now: () => 0, approvalPolicy: policy }, offered(NEVER, isReadOnly));
      tool.assess(made).subscribe((one) => all.push(one));
      return all;
    };
    const args = '{"x":1}';

    /** Recorded decisions of Codex 0.171.0, by what the tool says of itself. */
    const KINDS = [
      ['reads', { isReadOnly: true }],
      ['says nothing', {}],
      ['is harmless', { isHarmless: true }],
    ] as const;
    it.each<[ApprovalMode, ApprovalPolicy, asked: string[]]>([
      ['auto', 'on-request', ['says nothing']],
      ['auto', 'untrusted', ['says nothing']],
      ['writes', 'on-request', ['says nothing', 'is harmless']],
      ['prompt', 'on-request', ['reads', 'says nothing', 'is harmless']],
      ['approve', 'untrusted', []],
    ])('tools of the mode %s under %s: asks before a tool that %s', (mode, approvalPolicy, asked) => {
      const verdicts = (policy: ApprovalPolicy, isFullAccess = false) =>
        KINDS.flatMap(([kind, own]) => {
          const all: [string, string][] = [];
          const tool = serverTool(
            { now: () => 0, approvalPolicy: policy, isFullAccess },
            { ...offered(), ...own, mode },
          );
          tool.assess(call(args)).subscribe(({ verdict }) => verdict !== 'run' && all.push([kind, verdict]));
          return all;
        });
      expect(verdicts(approvalPolicy)).toEqual(asked.map((kind) => [kind, 'ask']));
      expect(verdicts('never')).toEqual(asked.map((kind) => [kind, 'refuse']));
      expect(verdicts('never', true)).toEqual([]);
    });

    it('a tool that asks under never, which is refused with its mode', () => {
      const tool = serverTool({ now: () => 0, approvalPolicy: 'never' }, { ...offered(), mode: 'prompt' });
      const all: unknown[] = [];
      tool.assess(call('')).subscribe((one) => all.push(one));
      const reason =
        'approval_mode = "prompt" asks before this tool, and nobody is asked under the approval policy never';
      expect(all).toEqual([
        { verdict: 'refuse', output: `tool call rejected: ${reason}`, report: { subject: 's/t()', reason } },
      ]);
    });

    it('a tool of the mode prompt each time, also after an approval for the session', () => {
      const tool = serverTool({ now: () => 0, approvalPolicy: 'on-request' }, { ...offered(), mode: 'prompt' });
      const all: unknown[] = [];
      tool.assess(call(args, ['tool ["s","t"]'])).subscribe((one) => all.push(one));
      expect(all).toEqual([{ ...ask, approval: { ...ask.approval, covers: 'once', keys: [] } }]);
    });

    it.each<[string, ApprovalPolicy, ToolCall, boolean, object]>([
      ['a call that runs', 'on-request', call(args), false, run],
      ['a call under untrusted, which is asked about', 'untrusted', call(args), false, ask],
      ['a call that only reads', 'untrusted', call(args), true, { ...run, effect: 'reads' }],
      ['a call that was approved for the session', 'untrusted', call(args, ['tool ["s","t"]']), false, run],
      ['a call of another tool that was', 'untrusted', call(args, ['tool ["s__t","u"]']), false, ask],
      [
        'a number of more digits than a double has',
        'never',
        call('{"x":1234567890123456789}'),
        false,
        { verdict: 'run', plan: { callId: 'c', args: { x: 1234567890123456789n } } },
      ],
      ['arguments of null', 'never', call('null'), false, { verdict: 'run', plan: { callId: 'c', args: undefined } }],
      ['no arguments', 'never', call(' '), false, { verdict: 'run', plan: { callId: 'c', args: undefined } }],
      [
        'what is not JSON',
        'never',
        call('{'),
        false,
        { verdict: 'refuse', output: expect.stringMatching(/^err: .*JSON/) },
      ],
      [
        'what is not an object',
        'never',
        call('7'),
        false,
        { verdict: 'refuse', output: 'err: the arguments must be a JSON object' },
      ],
      [
        'what is nested too deep to be sent on',
        'never',
        call(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
        false,
        { verdict: 'refuse', output: 'err: the arguments are nested deeper than 256 levels' },
      ],
    ])('%s', (_, policy, made, isReadOnly, expected) => {
      expect(assessed(policy, made, isReadOnly)).toEqual([expected]);
    });
  });

  it('shows what is hidden in the name of a tool that is asked about', () => {
    const tool = serverTool(
      { now: () => 0, approvalPolicy: 'untrusted' },
      { ...offered(), tool: 't\nAllow \u001b[2J' },
    );
    const all: unknown[] = [];
    tool.assess(call('')).subscribe((one) => all.push(one));
    expect(all).toMatchObject([{ approval: { msg: { message: 'May the tool t\\nAllow \\x1b[2J() be called?' } } }]);
  });

  describe('runs', () => {
    const answer = (_: ReviewResult) => {};
    const long = JSON.stringify('x'.repeat(20_000));
    const events: Record<string, CallEvent> = {
      p: { kind: 'progress', message: 'half' },
      q: { kind: 'question', message: 'Who?', answer },
      f: { kind: 'question', message: 'Who?', schema: { properties: { name: {} } }, answer },
      d: { kind: 'done', result: { Ok: 1 }, text: 'one' },
      l: { kind: 'done', result: { Ok: long }, text: long },
    };
    const invocation = { server: 's', tool: 't', arguments: { x: 1 } };
    const end = (result: { Ok: unknown }): ToolEvent => ({
      kind: 'event',
      msg: { type: 'mcp_tool_call_end', call_id: 'c', invocation, duration: { secs: 1, nanos: 5e8 }, result },
    });
    const question: ToolEvent = {
      kind: 'question',
      msg: { type: 'elicitation_request', server_name: 's', message: 'Who?' },
      subject: 's: Who?',
      answer,
    };
    const out: Record<string, ToolEvent> = {
      B: { kind: 'event', msg: { type: 'mcp_tool_call_begin', call_id: 'c', invocation } },
      P: { kind: 'event', msg: { type: 'background_event', message: 's/t: half' } },
      Q: question,
      F: {
        ...question,
        msg: {
          type: 'elicitation_request',
          server_name: 's',
          message: 'Who?',
          requested_schema: { properties: { name: {} } },
        },
      },
      E: end({ Ok: 1 }),
      O: { kind: 'output', text: 'one' },
      G: end({ Ok: long }),
      L: { kind: 'output', text: shorten(long) },
    };

    it.each([
      ['a call from its beginning to its end', '-p-(d|)', 'BP-(EO|)'],
      ['a call that asks a person', '-q-f(d|)', 'BQ-F(EO|)'],
      ['a call whose result is long, which the model reads cut', '--(l|)', 'B-(GL|)'],
      ['a call that says nothing', '---', 'B--'],
    ])('%s', (_, source, expected) =>
      marbles(({ cold, expectObservable }) => {
        let ms = -1_500;
        const now = () => {
          ms += 1_500;
          return ms;
        };
        const tool = serverTool({ now, approvalPolicy: 'never' }, offered(cold(source, events)));
        expectObservable(tool.run({ callId: 'c', args: { x: 1 } }, 'direct')).toBe(expected, out);
      })(),
    );

    it(
      'nothing any more when it is unsubscribed',
      marbles(({ cold, expectObservable, expectSubscriptions }) => {
        const call$ = cold('-----', events);
        const tool = serverTool({ now: () => 0, approvalPolicy: 'never' }, offered(call$));
        expectObservable(tool.run({ callId: 'c', args: { x: 1 } }, 'direct'), '^--!').toBe('B--', out);
        expectSubscriptions(call$.subscriptions).toBe('^--!');
      }),
    );
  });
});
