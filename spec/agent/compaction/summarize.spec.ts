import { merge, mergeMap, of } from 'rxjs';
import { summarize } from '../../../src/agent/compaction/compact';
import type { AttemptDeps } from '../../../src/agent/sampling/attempts';
import type { Ask } from '../../../src/protocol/codex/engine';
import type { ModelEvent, TokenUsage } from '../../../src/protocol/model/events';
import { ModelError } from '../../../src/protocol/model/model';
import type { ModelRequest } from '../../../src/protocol/model/request';
import { marbles } from '../../support/marbles';
import { completed, item, messageOf, provider, text } from '../../support/models';
import { around, first, modelOf, turnOf } from '../support';

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
