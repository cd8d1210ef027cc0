import { lastValueFrom, NEVER, of, throwError } from 'rxjs';
import { listModels } from '../../../src/agent/modelHttp/listModels';
import type { HttpRequest, HttpResponse } from '../../../src/io/http/httpRequest';
import { ModelError } from '../../../src/protocol/model/model';
import { marbles } from '../../support/marbles';
import { answer, provider } from '../../support/models';

const URL = 'http://mock/v1/models';
const LIST = JSON.stringify({ object: 'list', data: [{ id: 'a' }, { id: 'b' }, { object: 'model' }] });

const listed = async (made: HttpResponse, own = {}) => {
  const requests: HttpRequest[] = [];
  const post = (request: HttpRequest) => {
    requests.push(request);
    return of(made);
  };
  const list$ = listModels({ post, env: {}, credential: { key: 'sk-secret' } })(provider(own));
  return { list: await lastValueFrom(list$), requests };
};

describe('listModels', () => {
  it('asks with the key, and names the models', async () => {
    const { list, requests } = await listed(answer(of(LIST.slice(0, 9), LIST.slice(9))));
    expect(list).toEqual({ url: URL, status: '200 OK', models: ['a', 'b'] });
    expect(requests).toEqual([
      {
        url: URL,
        method: 'GET',
        body: '',
        connectMs: 10_000,
        headers: expect.objectContaining({ authorization: 'Bearer sk-secret' }),
      },
    ]);
  });

  it('names none of a list that is null, as Ollama sends it', async () => {
    const { list } = await listed(answer(of('{"object":"list","data":null}')));
    expect(list).toEqual({ url: URL, status: '200 OK', models: [] });
  });

  it.each([
    ['a page', 200, 'OK', ' <h1>\n Hi</h1>', { text: 'Hi' }],
    ['JSON of another kind', 200, 'OK', '{"data":{}}', { text: '{"data":{}}' }],
    ['no such address', 404, 'Not Found', 'none', { text: 'none' }],
    [
      'a key that is rejected, which is not shown',
      ...([
        401,
        'Unauthorized',
        'sk-secret is wrong',
        { text: '*** is wrong', rejected: expect.stringContaining('no env_key') },
      ] as const),
    ],
    [
      'a key without the right',
      403,
      'Forbidden',
      LIST,
      { text: LIST, rejected: expect.stringContaining('no env_key') },
    ],
  ])('distinguishes %s from a list', async (_, status, statusText, body, rest) => {
    const { list } = await listed(answer(of(body), { status, statusText }));
    expect(list).toEqual({ url: URL, status: `${status} ${statusText}`, ...rest });
  });

  it('names where a redirect leads, without its query', async () => {
    const headers = { location: 'https://me:S@other/v1/models?key=k1' };
    const { list } = await listed(answer(of(''), { status: 301, statusText: 'Moved Permanently', headers }));
    expect(list).toEqual({ url: URL, status: '301 Moved Permanently', text: '', location: 'https://other/v1/models' });
  });

  it('shows no query and no login of the address, which may hold a key', async () => {
    const { list, requests } = await listed(answer(of(LIST)), {
      baseUrl: 'http://me:S@mock/v1',
      queryParams: { key: 'k1' },
    });
    expect([list.url, requests[0]?.url]).toEqual([URL, 'http://me:S@mock/v1/models?key=k1']);
  });

  it('errors where the server is not reached, and tries once', async () => {
    let tries = 0;
    const post = () => {
      tries += 1;
      return throwError(() => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));
    };
    const list$ = listModels({ post, env: {}, credential: undefined })(provider());
    const error = await lastValueFrom(list$).catch((caught) => caught);
    expect(error).toBeInstanceOf(ModelError);
    expect([error.message, tries]).toEqual([expect.stringContaining('is the model server running?'), 1]);
  });

  it(
    'errors where no answer comes within 10 s',
    marbles(({ expectObservable }) => {
      const list$ = listModels({ post: () => NEVER, env: {}, credential: undefined })(provider());
      expectObservable(list$).toBe('10s #', {}, new ModelError(`no answer from ${URL} within 10 s`, false));
    }),
  );
});
