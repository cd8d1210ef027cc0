import fc from 'fast-check';
import { readChallenge } from '../../../src/settings/mcpAuth/challenge';

describe('readChallenge', () => {
  it.each([
    ['', {}],
    ['Bearer', {}],
    ['Bearer resource_metadata="https://x/m"', { metadata: 'https://x/m' }],
    [
      'Bearer error="invalid_token", Resource_Metadata = "https://x/m", scope="a b"',
      { metadata: 'https://x/m', scope: 'a b' },
    ],
    ['Bearer resource_metadata=https://x/m,scope=a', { metadata: 'https://x/m', scope: 'a' }],
    ['Basic realm="x", Bearer scope="a"', { scope: 'a' }],
    ['Bearer scope=""', {}],
    ['Bearer noscope="a", scope="b"', { scope: 'b' }],
  ])('of %j', (header, expected) => {
    expect(readChallenge(header)).toEqual(expected);
  });

  it('reads any header', () => {
    fc.assert(fc.property(fc.string(), (header) => typeof readChallenge(header) === 'object'));
  });
});
