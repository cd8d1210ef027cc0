import { concat, concatMap, defer, EMPTY, mergeMap, NEVER, type Observable, of } from 'rxjs';
import { prepareCall, refuseScarce } from '../../../src/agent/sampling/prepareCall';
import type { Turn, TurnStep } from '../../../src/agent/thread/steps';
import {
  type ApprovalRequest,
  type AssessedCall,
  type RunMode,
  type ToolEvent,
  toolTable,
} from '../../../src/agent/tools/tool';
import type { Ask, ReviewResult } from '../../../src/protocol/codex/engine';
import type { EventMsg } from '../../../src/protocol/codex/eventMsg';
import type { ToolCallItem } from '../../../src/protocol/model/items';
import { marbles } from '../../support/marbles';
import { call, custom, first, modelOf, turnOf } from '../support';

const runCall = (ask: Ask, turn: Turn, call: ToolCallItem) =>
  prepareCall(ask, { turn, call }).pipe(concatMap(({ run }) => run()));
const made = call('c', {}, 'tool');
const output = (text: string): TurnStep => ({ kind: 'output', call: made, text });
const refusal = (text: string): TurnStep => ({ kind: 'output', call: made, text, isRefused: true });
const backgroundEvent = (message: string): EventMsg => ({ type: 'background_event', message });
const approvalOf = (message: string): ApprovalRequest => ({
  msg: backgroundEvent(message),
  subject: `the ${message}`,
  what: 'tool call',
  keys: ['one', 'two'],
});
const declined = (what: string, reason?: string): TurnStep => ({
  kind: 'declined',
  callId: 'a',
  what,
  reason,
  question: reason === 'no tool' ? undefined : 7,
});

const answers: ReviewResult[] = [];
/** What the tool does: b an event, o its output, q a question of its own, x that the sandbox stopped it. */
const events: Record<string, ToolEvent> = {
  b: { kind: 'event', msg: backgroundEvent('begin') },
  o: { kind: 'output', text: 'out' },
  q: { kind: 'question', msg: backgroundEvent('who?'), subject: 'who?', answer: (review) => answers.push(review) },
  x: { kind: 'blocked', output: 'no leave to write', approval: approvalOf('again?') },
};
const steps: Record<string, TurnStep> = {
  B: first.event(backgroundEvent('begin')),
  O: output('out'),
  P: first.event(backgroundEvent('may I?'), { question: 7 }),
  A: first.event(backgroundEvent('again?'), { question: 7 }),
  Q: first.event(backgroundEvent('who?'), { question: 7, covers: 'once' }),
  N: output('tool call rejected by user'),
  W: output('tool call rejected: nobody is there'),
  V: output('no leave to write'),
  R: refusal('refused'),
  T: declined('the tool', 'no tool'),
  C: declined('the may I?'),
  G: declined('the again?'),
  D: declined('the may I?', 'nobody is there'),
  S: declined('the may I?', 'the user stopped the turn at this question'),
  E: declined('the again?', 'nobody is there'),
  F: declined('who?', 'nobody is there'),
  X: first.aborted,
  Y: first.event(backgroundEvent('retrying command without sandbox')),
};

const yes: ReviewResult = { decision: 'approved' };
const always: ReviewResult = { decision: 'approved_for_session' };
const no: ReviewResult = { decision: 'denied' };
const nobody: ReviewResult = { decision: 'denied', reason: 'nobody is there' };
const stop: ReviewResult = { decision: 'abort' };

/** A person who answers each question two frames later. */
const askOf =
  (review: ReviewResult | undefined, wait: (value: ReviewResult) => Observable<ReviewResult>): Ask =>
  (_, question, then) =>
    concat(
      of(question(7)),
      review === undefined ? NEVER : wait(review).pipe(mergeMap((given) => then({ ...given, question: 7 }))),
    );

type Verdict = 'run' | 'sandbox' | 'ask' | 'refuse';
type Runs = Partial<Record<RunMode, string>>;

describe('prepareCall', () => {
  it.each<[string, Verdict, Runs, ReviewResult | undefined, string]>([
    ['runs a call directly', 'run', { direct: 'b-(o|)' }, undefined, 'B-(O|)'],
    ['runs a call in the sandbox', 'sandbox', { sandboxed: 'b-(o|)' }, undefined, 'B-(O|)'],
    ['runs a call that is approved directly', 'ask', { direct: 'b-(o|)' }, yes, 'P-B-(O|)'],
    ['runs nothing that is declined', 'ask', {}, no, 'P-(CN|)'],
    ['says why nothing runs where nobody decided', 'ask', {}, nobody, 'P-(DW|)'],
    ['ends the turn with the question it is stopped at', 'ask', {}, stop, 'P-(SNX|)'],
    ['waits for the decision', 'ask', {}, undefined, 'P-----'],
    [
      'asks once more for what the sandbox stopped',
      'sandbox',
      { sandboxed: 'b(x|)', direct: 'b----(o|)' },
      yes,
      'BA-(YB)-(O|)',
    ],
    ['reports to the model what the sandbox stopped', 'sandbox', { sandboxed: 'b(x|)' }, no, 'BA-(GV|)'],
    ['reports to the caller too where nobody decided', 'sandbox', { sandboxed: 'b(x|)' }, nobody, 'BA-(EV|)'],
    ['puts a question of the tool to the person, for this once', 'run', { direct: 'bq--(o|)' }, yes, 'BQ--(O|)'],
    ['names a question that nobody answered', 'run', { direct: 'bq--(o|)' }, nobody, 'BQ-F(O|)'],
    ['does not wait for an answer when the call is over', 'run', { direct: 'bq(o|)' }, yes, 'BQ(O|)'],
    ['refuses a call, and reports it to the caller', 'refuse', {}, undefined, '(TR|)'],
  ])('%s', (_, verdict, runs, review, expected) =>
    marbles(({ cold, expectObservable }) => {
      const run = (mode: RunMode) => cold<ToolEvent>(runs[mode] ?? '#', events);
      const assessed: Record<Verdict, AssessedCall> = {
        run: { verdict: 'run', run },
        sandbox: { verdict: 'sandbox', run },
        ask: { verdict: 'ask', approval: approvalOf('may I?'), run },
        refuse: { verdict: 'refuse', output: 'refused', report: { subject: 'the tool', reason: 'no tool' } },
      };
      const tool = { spec: undefined as never, names: ['tool'], assess: () => of(assessed[verdict]) };
      const ask = askOf(review, (given) => cold('--(r|)', { r: given }));
      const turn = { ...turnOf(modelOf([]).model), tools: toolTable([tool]) };
      expectObservable(runCall(ask, turn, made)).toBe(expected, steps);
    })(),
  );

  it('gives the answer of the person to the tool', () => {
    expect(answers.splice(0)).toEqual([
      { ...yes, question: 7 },
      { ...nobody, question: 7 },
    ]);
  });

  it('remembers for the thread what was approved for the session', () => {
    const seen: boolean[] = [];
    const run = () => defer(() => EMPTY);
    const ask: Ask = (_, __, then) => then(always);
    const assess = ({ isApproved }: { isApproved: (key: string) => boolean }) => {
      seen.push(isApproved('one') && isApproved('two'));
      return of<AssessedCall>({ verdict: 'ask', approval: approvalOf('may I?'), run });
    };
    const turn = {
      ...turnOf(modelOf([]).model),
      tools: toolTable([{ spec: undefined as never, names: ['tool'], assess }]),
    };
    for (let i = 0; i < 2; i++) runCall(ask, turn, made).subscribe();
    expect(seen).toEqual([false, true]);
  });

  it.each<[string, ReviewResult, boolean]>([
    ['remembers what an approved call has changed itself', always, true],
    ['forgets it, if only this call was approved', yes, false],
  ])('%s', (_, review, remembered) => {
    const ask: Ask = (_, __, then) => then(review);
    const changes: ToolEvent = { kind: 'ownChanges', keys: ['one', 'two'], keys$: of(['one', 'three']) };
    const run = () => of<ToolEvent[]>(changes, { kind: 'output', text: 'out' });
    const assess = () => of<AssessedCall>({ verdict: 'ask', approval: approvalOf('may I?'), run });
    const turn = {
      ...turnOf(modelOf([]).model),
      tools: toolTable([{ spec: undefined as never, names: ['tool'], assess }]),
    };
    const steps: TurnStep[] = [];
    runCall(ask, turn, made).subscribe((step) => steps.push(step));
    expect(steps).toEqual([output('out')]);
    expect(turn.thread.approvals.has('three')).toBe(remembered);
  });

  it(
    'reports to the model a tool that was not offered',
    marbles(({ expectObservable }) => {
      const unknown = call('c', {}, 'rm_rf');
      const step: TurnStep = { kind: 'output', call: unknown, text: 'unsupported call: rm_rf', isRefused: true };
      expectObservable(runCall(() => NEVER, turnOf(modelOf([]).model), unknown)).toBe('(O|)', { O: step });
      const hidden = call('c', { plan: [] }, 'update_plan');
      const none: TurnStep = { kind: 'output', call: hidden, text: 'unsupported call: update_plan', isRefused: true };
      expectObservable(runCall(() => NEVER, turnOf(modelOf([]).model), hidden)).toBe('(O|)', { O: none });
    }),
  );

  it(
    'passes the text of a free-form call as the argument that the tool names',
    marbles(({ expectObservable }) => {
      const made = custom('c', 'tool', 'a "text"');
      const assess = ({ args }: { args: string }) => of<AssessedCall>({ verdict: 'refuse', output: args });
      const row = { spec: undefined as never, names: ['tool'], assess };
      const turn = (own: object) => ({ ...turnOf(modelOf([]).model), tools: toolTable([{ ...row, ...own }]) });
      const O: TurnStep = { kind: 'output', call: made, text: '{"input":"a \\"text\\""}', isRefused: true };
      expectObservable(runCall(() => NEVER, turn({ textArgument: 'input' }), made)).toBe('(O|)', { O });
      const N: TurnStep = { kind: 'output', call: made, text: 'unsupported custom tool call: tool', isRefused: true };
      expectObservable(runCall(() => NEVER, turn({}), made)).toBe('(N|)', { N });
    }),
  );

  it.each<[string, NodeJS.ErrnoException, string]>([
    [
      'refuses a call that this machine has too little for, and the turn goes on',
      Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' }),
      '(S|)',
    ],
    ['fails with a bug', new Error('bug'), '#'],
  ])('%s', (_, error, expected) =>
    marbles(({ expectObservable }) => {
      const assess = () => {
        throw error;
      };
      const tool = { spec: undefined as never, names: ['tool'], assess };
      const turn = { ...turnOf(modelOf([]).model), tools: toolTable([tool]) };
      const S = refusal(
        'the call was not run: EMFILE: too many open files; this process has too many open files: raise the limit (ulimit -n)',
      );
      expectObservable(runCall(askOf(undefined, of), turn, made)).toBe(expected, { S }, error);
    })(),
  );
});

describe('refuseScarce', () => {
  it(
    'refuses a call with the cause and the remedy',
    marbles(({ expectObservable }) => {
      const error = Object.assign(new Error("ENFILE: file table overflow, open '/x'"), {
        code: 'ENFILE',
        syscall: 'open',
      });
      const output = expect.stringMatching(
        /^the call was not run: ENFILE: file table overflow; this machine has too many/,
      );
      expectObservable(refuseScarce(error)).toBe('(r|)', { r: { verdict: 'refuse', output } });
    }),
  );

  it('throws what is no matter of this machine', () => {
    expect(() => refuseScarce(new Error('bug'))).toThrow('bug');
  });
});
