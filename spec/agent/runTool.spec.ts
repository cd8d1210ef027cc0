import { concat, defer, NEVER, type Observable, of } from 'rxjs';
import { runTool } from '../../src/agent/runTool';
import type { Ask, FunctionCall, Verdict } from '../../src/protocol';
import type { OfferedTool, ToolNews } from '../../src/toolServers';
import { marbles } from '../support/marbles';
import { call, modelOf, turnOf } from './support';

const tool = (news$: Observable<ToolNews>, isReadOnly = false): OfferedTool => ({
  spec: { type: 'function', name: 's__t', description: '', strict: false, parameters: {} },
  server: 's',
  tool: 't',
  isReadOnly,
  call: () => news$,
});
const news: Record<string, ToolNews> = {
  p: { kind: 'progress', message: 'half' },
  d: { kind: 'done', result: { Ok: 1 }, text: 'one' },
  a: { kind: 'asked', message: 'Who?', answer: () => {} },
};
const called = call('c', { x: 1 }, 's__t');
const invocation = { server: 's', tool: 't', arguments: { x: 1 } };
const told = (msg: object) => expect.objectContaining({ kind: 'told', msg: expect.objectContaining(msg) });
const steps = {
  B: told({ type: 'mcp_tool_call_begin', call_id: 'c', invocation }),
  P: told({ type: 'background_event', message: 's/t: half' }),
  E: told({ type: 'mcp_tool_call_end', call_id: 'c', invocation, duration: { secs: 0, nanos: 0 }, result: { Ok: 1 } }),
  O: { kind: 'output', call: called, text: 'one' },
  W: told({ type: 'elicitation_request', server_name: 's', message: 'Who?' }),
  Q: told({ type: 'elicitation_request', server_name: 's', message: 'May the tool t({"x":1}) be called?' }),
  R: { kind: 'output', call: called, text: 'tool call rejected by user' },
  N: { kind: 'output', call: called, text: 'tool call rejected: nobody is there' },
  D: expect.objectContaining({ kind: 'declined', reason: 'nobody is there' }),
  X: { kind: 'stop' },
  Y: expect.objectContaining({ kind: 'declined' }),
  S: { kind: 'output', call: called, text: 'tool call rejected' },
};

type Given = {
  verdict?: Verdict;
  approvedTools?: Set<string>;
  policy?: 'untrusted' | 'on-request';
  isReadOnly?: boolean;
};

describe('runTool', () => {
  const run = (from: string, { policy = 'on-request', isReadOnly, ...given }: Given, expected: string) =>
    marbles(({ cold, expectObservable }) => {
      const { verdict = { decision: 'approved' }, approvedTools = new Set() } = given;
      const ask: Ask = (_, question, then) =>
        concat(
          of(question(1)),
          defer(() => then(verdict)),
        );
      const deps = { ask, now: () => 0, approvedTools };
      const turn = turnOf(modelOf([]).model, { approvalPolicy: policy });
      const step$ = runTool(deps)(turn, called, tool(cold(from, news), isReadOnly));
      expectObservable(step$).toBe(expected, steps);
    })();

  it.each<[string, string, Given, string]>([
    ['tells of the call, its progress and its end', '-p-(d|)', {}, 'BP-(EO|)'],
    ['hands on what the server asks', '-a-(d|)', {}, 'BW-(EO|)'],
    ['asks first under untrusted', '----(d|)', { policy: 'untrusted' }, '(QB)(EO|)'],
    ['does not ask about a tool that only reads', '-(d|)', { policy: 'untrusted', isReadOnly: true }, 'B(EO|)'],
    [
      'does not ask again what was approved for the session',
      '-(d|)',
      { policy: 'untrusted', approvedTools: new Set(['s__t']) },
      'B(EO|)',
    ],
    ['calls nothing when the person says no', '-', { policy: 'untrusted', verdict: { decision: 'denied' } }, '(QR|)'],
    [
      'says why when nobody could be asked',
      '-',
      { policy: 'untrusted', verdict: { decision: 'denied', reason: 'nobody is there' } },
      '(QDN|)',
    ],
    [
      'stops with the person who stops the turn',
      '-',
      { policy: 'untrusted', verdict: { decision: 'abort' } },
      '(QYRX|)',
    ],
  ])('%s', (_, from, given, expected) => run(from, given, expected));

  it(
    'does not wait for an answer to a question whose call is over',
    marbles(({ cold, expectObservable }) => {
      const ask: Ask = (_, question) => concat(of(question(1)), NEVER);
      const deps = { ask, now: () => 0, approvedTools: new Set<string>() };
      const step$ = runTool(deps)(turnOf(modelOf([]).model), called, tool(cold('-a-(d|)', news)));
      expectObservable(step$).toBe('BW-(EO|)', steps);
    }),
  );

  it('remembers for the thread what was approved for the session', () => {
    const approvedTools = new Set<string>();
    const verdict: Verdict = { decision: 'approved_for_session' };
    run('----(d|)', { policy: 'untrusted', verdict, approvedTools }, '(QB)(EO|)');
    expect([...approvedTools]).toEqual(['s__t']);
  });

  it.each([
    ['{', /^err: .*JSON/],
    ['7', /^err: the arguments must be a JSON object$/],
  ])('tells the model that %j are no arguments', (text, words) => {
    const bad: FunctionCall = call('c', text, 's__t');
    const deps = { ask: () => NEVER, now: () => 0, approvedTools: new Set<string>() };
    const outputs: unknown[] = [];
    runTool(deps)(turnOf(modelOf([]).model), bad, tool(NEVER)).subscribe((step) => outputs.push(step));
    expect(outputs).toEqual([{ kind: 'output', call: bad, text: expect.stringMatching(words) }]);
  });
});
