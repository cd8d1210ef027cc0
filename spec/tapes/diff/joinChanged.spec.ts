import { compare } from '../../../src/tapes/diff/compare';
import { MASKS } from '../../../src/tapes/matching/mask';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';

/** A session in which the client sends these requests. */
const sent = (...requests: object[]) =>
  toSessionIndex(sessionFrom(...requests.map((one, id): [number, string, object] => [id, 'in', { id, ...one }])));
const hello = (name: string) => ({ method: 'initialize', params: { clientInfo: { name } } });
const differences = (recorded: object[], now: object[]) =>
  compare(sent(...recorded), sent(...now), { names: MASKS, own: [] }).flatMap(({ label, difference }) =>
    difference ? [[label, difference.reason, ...difference.values]] : [],
  );

describe('joinChanged', () => {
  it('reports a client with another name as one difference', () => {
    expect(differences([hello('a')], [hello('b')])).toEqual([
      [
        'initialize',
        'the client sends this differently now',
        expect.objectContaining({ path: 'message.params.clientInfo.name' }),
      ],
    ]);
  });

  it('joins the n-th with the n-th, and leaves what stands alone', () => {
    const [a, b, c] = ['a', 'b', 'c'].map(hello) as [object, object, object];
    expect(differences([a, b], [c]).map(([, reason]) => reason)).toEqual([
      'the client sends this differently now',
      'the client did not get to send this now',
    ]);
    expect(differences([a], [{ method: 'ping' }]).map(([, reason]) => reason)).toEqual([
      'the client did not get to send this now',
      'the client sends this only now',
    ]);
  });
});
