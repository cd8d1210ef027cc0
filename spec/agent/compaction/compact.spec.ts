import { merge, mergeMap, of, throwError } from 'rxjs';
import { tokensOf } from '../../../src/agent/compaction/budget';
import { compacted, summarize } from '../../../src/agent/compaction/compact';
import type { AttemptDeps } from '../../../src/agent/sampling/attempts';
import type { Ask } from '../../../src/protocol/codex/engine';
import type { Event } from '../../../src/protocol/codex/events';
import { type TurnOp, toInput } from '../../../src/protocol/codex/operations';
import type { ModelEvent, TokenUsage } from '../../../src/protocol/model/events';
import type { ResponseItem } from '../../../src/protocol/model/items';
import { ModelError } from '../../../src/protocol/model/model';
import type { ModelRequest } from '../../../src/protocol/model/request';
import { SUMMARY_MARK } from '../../../src/threads/lines/prompts';
import { marbles } from '../../support/marbles';
import { completed, item, messageOf, provider, text } from '../../support/models';
import {
  agentOf,
  around,
  command,
  environment,
  first,
  modelOf,
  opened,
  outputOf,
  shell,
  turn,
  turnOf,
} from '../support';

/** A model of a thousand tokens: 800 for the conversation, of which the environment takes 60. */
const long = 'x'.repeat(4_000);
const spoken = {
  l: item(shell('l', 'ls')),
  m: item(messageOf('assistant', 'ok')),
  s: item(messageOf('assistant', 'SUM')),
};
const answer = (...events: ModelEvent[]) => of(...events, completed());
const op = { a: turn('a', { start: {} }) };
const out: Record<string, Event> = {
  ...opened,
  M: first.message('ok'),
  Z: first.complete('ok'),
  N: first.complete(null),
  B: first.begin('l', ['ls']),
  E: first.end('l'),
  K: first.event({ type: 'context_compacted' }),
  F: first.error('This model has a maximum context length of 10 tokens'),
};
const tooLong = throwError(() => new ModelError('This model has a maximum context length of 10 tokens', false));
const user = messageOf('user', 'do a');
const summary = messageOf('user', `${SUMMARY_MARK}\nSUM`);
const ls = { ls: of(command('l', 'ls').b, command('l', 'ls').e, { kind: 'output', text: long } as const) };
const calls = (count: number) => Array.from({ length: count }, (_, i) => answer(item(shell(`l${i}`, 'ls'))));

describe('compact', () => {
  it(
    'puts a summary in the place of a conversation that has become too long, in the middle of a turn',
    marbles(({ hot, expectObservable, flush }) => {
      const answers = [answer(spoken.l), answer(spoken.s), answer(spoken.m)];
      const { agent, requests } = agentOf({ answers, commands: ls });
      expectObservable(agent(hot('(a|)', op))).toBe('(CSBEKMZ|)', out);
      flush();
      expect(requests[1]?.tools).toEqual([]);
      expect(requests[2]?.input).toEqual([environment, user, summary]);
    }),
  );

  it('cuts the outputs of old calls first', () => {
    const commands = { ls: of({ kind: 'output', text: 'y'.repeat(600) } as const) };
    const answers = [...calls(6), answer(spoken.m)];
    const { agent, requests } = agentOf({ answers, commands, own: { contextWindow: 1_200 } });
    agent(of(op.a)).subscribe();
    expect(requests).toHaveLength(7);
    const outputs = requests[6]?.input.flatMap((one) => ('output' in one ? [one.output.length] : []));
    expect(outputs).toEqual([expect.any(Number), 600, 600, 600, 600, 600]);
    expect(outputs?.[0]).toBeLessThan(300);
  });

  it(
    'shortens a conversation that the model refuses for its length, once',
    marbles(({ hot, expectObservable, flush }) => {
      const { agent, requests } = agentOf({ answers: [tooLong, answer(spoken.s), answer(spoken.m)] });
      expectObservable(agent(hot('(a|)', op))).toBe('(CSKMZ|)', out);
      flush();
      expect(requests[2]?.input).toEqual([environment, summary, user]);
    }),
  );

  it.each([
    'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 13055>= n_ctx: 4096).',
    'Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)',
    'Trying to keep the first 10136 tokens when context the overflows. However, the model is loaded with context length of only 7866 tokens',
    'Context size has been exceeded',
  ])('shortens it where an error in the stream is of the length: %s', (text) => {
    const inStream = throwError(() => new ModelError(`stream disconnected before completion: ${text}`, true));
    const { agent, requests } = agentOf({ answers: [inStream, answer(spoken.s), answer(spoken.m)] });
    agent(of(op.a)).subscribe();
    expect(requests[2]?.input).toEqual([environment, summary, user]);
  });

  it(
    'fails the turn where the model refuses that, too',
    marbles(({ hot, expectObservable }) => {
      const { agent } = agentOf({ answers: [tooLong, answer(spoken.s), tooLong] });
      expectObservable(agent(hot('(a|)', op))).toBe('(CSKFN|)', out);
    }),
  );

  it('asks for the summary of half as much where the model refuses that request, until too little is left', () => {
    const much = (id: string, thread: TurnOp['thread']) =>
      turn(id, thread, { input: [{ type: 'text', text: id.repeat(12_000) }] });
    const ops = of(much('a', { start: {} }), much('b', { id: 'n1' }), much('c', { id: 'n1' }));
    const run = (...answers: ReturnType<typeof answer>[]) => {
      const own = { contextWindow: 100_000 };
      const { agent, requests } = agentOf({ answers: [answer(spoken.m), answer(spoken.m), ...answers], own });
      const events: Event[] = [];
      agent(ops).subscribe((event) => events.push(event));
      return { sizes: requests.slice(2).map(({ input }) => JSON.stringify(input).length), last: events.at(-1) };
    };
    const { sizes, last } = run(tooLong, tooLong, answer(spoken.s), answer(spoken.m));
    expect(sizes).toHaveLength(4);
    expect(sizes[2]).toBeLessThan((sizes[1] ?? 0) * 0.6);
    expect(last).toMatchObject({ msg: { type: 'task_complete', last_agent_message: 'ok' } });
    const refused = run(...Array.from({ length: 9 }, () => tooLong));
    expect(refused.sizes).toHaveLength(3);
    expect(refused.last).toMatchObject({ msg: { type: 'task_complete', last_agent_message: null } });
  });

  it.each([
    ['that the model refused, of a window that is not known', null, undefined, [tooLong]],
    ['that has a limit below a tenth of the window', 100_000, 5_000, []],
  ])('keeps less of a conversation %s', (_, contextWindow, autoCompactTokenLimit, refused) => {
    const own = { contextWindow, ...(autoCompactTokenLimit && { autoCompactTokenLimit }) };
    const answers = [answer(spoken.m), ...refused, answer(spoken.s), answer(spoken.m)];
    const { agent, requests } = agentOf({ answers, own });
    const long = turn('a', { start: {} }, { input: toInput('x'.repeat(19_500)) });
    const short = turn('b', { id: 'n1' }, { input: toInput('y'.repeat(1_000)) });
    agent(of(long, short)).subscribe();
    const { input = [] } = requests.at(-1) ?? {};
    expect(input.slice(0, 2)).toEqual([environment, summary]);
    expect(input.slice(2).map((one) => JSON.stringify(one).includes('yyy'))).toEqual([true]);
  });

  it('keeps the conversation in short for the next turn', () => {
    const answers = [answer(spoken.l), answer(spoken.s), answer(spoken.m), answer(spoken.m)];
    const { agent, requests } = agentOf({ answers, commands: ls });
    agent(of(op.a, turn('b', { id: 'n1' }))).subscribe();
    const rest = [messageOf('assistant', 'ok'), messageOf('user', 'do b')];
    expect(requests[3]?.input).toEqual([environment, user, summary, ...rest]);
    expect(outputOf('l', long)).toBeDefined();
  });
});

const [one, two] = [
  [messageOf('user', 'one'), shell('l', 'ls'), outputOf('l', 'x'.repeat(1_000)), messageOf('assistant', 'ok')],
  [messageOf('user', 'two'), messageOf('assistant', 'done')],
];
const past = [environment, ...one, ...two];
const sizeOfTwo = tokensOf(two);
const shortOf = (keepTokens: number, of = past) =>
  compacted({ opening: [environment], summary: 'SUM', past: of, keepTokens });

describe('compacted', () => {
  it.each([
    ['all turns where they fit', 100_000, [environment, summary, ...one, ...two]],
    ['the last turns that fit, whole', sizeOfTwo + 100, [environment, summary, ...two]],
    ['the last message of the user where no turn fits', 4, [environment, messageOf('user', 'two'), summary]],
  ])('keeps %s', (_, keepTokens, expected) => {
    expect(shortOf(keepTokens)).toEqual(expected);
  });

  it('keeps the last message of the user where what fits begins with a picture that the model looked at', () => {
    const picture: ResponseItem = {
      type: 'message',
      role: 'user',
      content: [{ type: 'input_image', image_url: 'data:' }],
    };
    const seen = [picture, messageOf('assistant', 'a dot')];
    const long = [environment, ...one, ...seen];
    expect(shortOf(tokensOf(seen), long)).toEqual([environment, messageOf('user', 'one'), summary, ...seen]);
    expect(shortOf(100_000, long)).toEqual([environment, summary, ...one, ...seen]);
  });

  it('shortens a message that is too long', () => {
    const [, message] = shortOf(1, [messageOf('user', 'x'.repeat(100_000))]);
    expect(message && tokensOf([message])).toBeLessThan(2_700);
  });

  it('puts a new summary in the place of the one before', () => {
    expect(shortOf(10_000, [environment, messageOf('user', `${SUMMARY_MARK}\nOLD`), ...two])).toEqual([
      environment,
      summary,
      ...two,
    ]);
  });

  it('does not repeat instructions of the developer that the opening has', () => {
    const [now, before] = [messageOf('developer', 'be fine'), messageOf('developer', 'be fast')];
    expect(
      compacted({ opening: [now], summary: 'SUM', past: [...one, before, now, ...two], keepTokens: 10_000 }),
    ).toEqual([now, summary, ...one, before, ...two]);
  });

  it('is the opening and the summary without a message of the user', () => {
    expect(shortOf(1, [environment])).toEqual([environment, summary]);
  });
});

describe('summarize', () => {
  const usage: TokenUsage = {
    input_tokens: 1,
    cached_input_tokens: null,
    output_tokens: 2,
    reasoning_output_tokens: null,
    total_tokens: 3,
  };
  const broke = new ModelError('broke', true);
  const spoken: Record<string, ModelEvent> = {
    d: text('s'),
    m: item(messageOf('assistant', 'short')),
    n: item(messageOf('assistant', 'er')),
    e: item(messageOf('assistant', ' ')),
    y: completed(),
    z: completed('r', usage),
  };
  const out = {
    U: first.event({ type: 'token_count', ...usage }),
    S: { kind: 'summary', text: 'short' },
    B: { kind: 'summary', text: 'shorter' },
    R: first.streamError('stream error: broke; retrying 1/1 in 200ms…'),
    E: first.error('The model gave no summary, so the conversation is as it was. Try again, or start a new thread.'),
    F: first.error('broke'),
    c: first.complete(null),
  };

  describe('summarize', () => {
    it.each<[string, string[], string]>([
      ['never, with its model                  ', ['--'], '--'],
      ['the summary, when the answer is whole  ', ['-d-m-(y|)'], '-----(S|)'],
      ['the cost before it                     ', ['-m-(z|)'], '---(US|)'],
      ['one of several messages                ', ['-mn-(y|)'], '----(B|)'],
      ['a failure of an empty summary          ', ['-e-(z|)'], '---(UEc|)'],
      ['a failure of an empty answer           ', ['-|'], '-(Ec|)'],
      ['a remark, then the next attempt        ', ['-#', '-m-(y|)'], '-R 200ms --(S|)'],
      ['a failure when all attempts broke      ', ['-#', '-#'], '-R 200ms (Fc|)'],
    ])('emits %s', (_, answers, expected) =>
      marbles(({ cold, expectObservable }) => {
        const { model } = modelOf(answers.map((answer) => cold(answer, spoken, broke)));
        const turn = turnOf(model, { provider: provider({ streamMaxRetries: 1 }) });
        const summary$ = summarize(around({}).native as never, turn, []);
        expectObservable(summary$).toBe(expected, out);
      })(),
    );

    it(
      'asks the model of the client, at once, where that is the provider',
      marbles(({ cold, expectObservable }) => {
        const { model, requests } = modelOf([]);
        const turn = turnOf(model, { provider: provider({ wireApi: 'client' }) });
        const sampled = { role: 'assistant', content: { type: 'text', text: 'short' } };
        const ask: Ask = (_, question, then) =>
          merge(of(question(7)), cold('--y|').pipe(mergeMap(() => then({ decision: 'denied', sampled }))));
        const summary$ = summarize({ ...(around({}).native as never as AttemptDeps), ask }, turn, []);
        expectObservable(summary$).toBe('Q--(S|)', {
          ...out,
          Q: expect.objectContaining({ kind: 'sampling', question: 7 }),
        });
        expect(requests).toEqual([]);
      }),
    );

    it(
      'asks with the prompt of the configuration after the conversation, and without tools',
      marbles(({ cold, flush }) => {
        const { model, requests } = modelOf([cold('-m-(y|)', spoken)]);
        const past = [messageOf('user', 'hi')];
        summarize(around({}).native as never, turnOf(model, { compactPrompt: 'sum up' }), past).subscribe();
        flush();
        const asked = requests.map(({ input, tools }: ModelRequest) => ({ input, tools }));
        expect(asked).toEqual([{ input: [messageOf('user', 'hi'), messageOf('user', 'sum up')], tools: [] }]);
      }),
    );
  });
});
