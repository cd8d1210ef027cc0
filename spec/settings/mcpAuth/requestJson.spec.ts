import { requestJson } from '../../../src/settings/mcpAuth/requestJson';
import { marbles } from '../../support/marbles';
import { answer, outcomeOf, serverOf, unreachable } from './support';

describe('requestJson', () => {
  it.each([
    [
      'a form',
      { form: { a: 'b c' } },
      { body: 'a=b+c', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    ],
    ['JSON', { json: { a: 1 } }, { body: '{"a":1}', headers: { 'content-type': 'application/json' } }],
    ['nothing', {}, { body: '', method: 'GET' }],
  ])('sends %s', (_, body, expected) => {
    const send = serverOf({ 'https://x/': { b: 2 } });
    expect(outcomeOf(requestJson(send)({ url: 'https://x/', ...body }))).toMatchObject({ status: 200, json: { b: 2 } });
    expect(send.sent[0]).toMatchObject(expected);
  });

  it.each([
    ['what is no JSON', '<html>', {}],
    ['an error in JSON', { error: 'e' }, { error: 'e' }],
  ])('reads %s', (_, body, json) => {
    const send = serverOf({ 'https://x/': () => answer(400, body) });
    expect(outcomeOf(requestJson(send)({ url: 'https://x/' }))).toMatchObject({ status: 400, json });
  });

  it('reads a megabyte at most', () => {
    const send = serverOf({ 'https://x/': () => answer(200, JSON.stringify({ a: 'x'.repeat(1_048_576) })) });
    expect(outcomeOf(requestJson(send)({ url: 'https://x/' }))).toEqual({ status: 200, statusText: '', json: {} });
  });

  it('names the host that cannot be reached', () => {
    expect(outcomeOf(requestJson(unreachable)({ url: 'https://x/y?z=1' }))).toBe(
      'x cannot be reached: connect ECONNREFUSED',
    );
  });

  it('waits half a minute at most', () =>
    marbles(({ cold, expectObservable }) => {
      const json$ = requestJson(() => cold('-'))({ url: 'https://x/' });
      expectObservable(json$, '40s !').toBe('30s #', undefined, expect.objectContaining({ name: 'AuthError' }));
    })());
});
