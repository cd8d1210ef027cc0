import { EMPTY, NEVER, of } from 'rxjs';
import { chatBody, chatModel } from '../../../../src/agent/model/chat/chatModel';
import { ModelError } from '../../../../src/protocol/model/model';
import { marbles } from '../../../support/marbles';
import { answer, completed, httpDeps, item, provider, question, serverOf, streamOf } from '../../../support/models';

describe('chatModel', () => {
  it('posts to chat/completions, without headers of its own', () => {
    const server = serverOf([NEVER]);
    chatModel(httpDeps(server.post))(provider())(question()).subscribe().unsubscribe();
    expect(server.sent).toEqual([
      {
        url: 'http://mock/v1/chat/completions',
        headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
        connectMs: 0,
        body: JSON.stringify(chatBody(question(), provider())),
      },
    ]);
  });

  it('limits the answer where the request does', () => {
    expect(chatBody(question({ maxOutputTokens: 9 }), provider())).toMatchObject({ max_tokens: 9 });
    const openai = provider({ baseUrl: 'https://api.openai.com/v1' });
    expect(chatBody(question({ maxOutputTokens: 9 }), openai)).toMatchObject({ max_completion_tokens: 9 });
  });

  it(
    'makes an id for a call that has none',
    marbles(({ expectObservable }) => {
      const call = { index: 0, function: { name: 'shell', arguments: '{}' } };
      const { post } = serverOf([
        streamOf(
          { choices: [{ delta: { tool_calls: [call] } }] },
          { choices: [{ delta: {}, finish_reason: 'tool_calls' }] },
          '[DONE]',
        ),
      ]);
      expectObservable(chatModel(httpDeps(post))(provider())(question())).toBe('(FC|)', {
        F: item({
          type: 'function_call',
          name: 'shell',
          arguments: '{}',
          call_id: `call_${(2 ** 51).toString(36)}`,
        }),
        C: completed(),
      });
    }),
  );

  it(
    'reports a server that fails as one that failed',
    marbles(({ expectObservable }) => {
      const { post } = serverOf([of(answer(EMPTY, { status: 500, statusText: 'Internal Server Error' }))]);
      const error = new ModelError('exceeded retry limit, last status: 500 Internal Server Error', true);
      expectObservable(chatModel(httpDeps(post))(provider())(question())).toBe('#', {}, error);
    }),
  );
});
