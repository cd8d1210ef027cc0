import { generatedTokensIn, isMixed } from '../../../src/io/log/generatedTokens';

const MIXED = 'aZ3kQ9xW7mB1vN5cR8tY2uI6oP4sD0fG';
const HEX = '3f9a1c7e5b2d8046fa91c3e7d5b28460a1c3e5f7';

const found = (text: string): string[] => generatedTokensIn(text).map(({ from, to }) => text.slice(from, to));

describe('generatedTokensIn', () => {
  it.each([
    ['a prefix of any issuer', `phx_${MIXED}`],
    ['several prefixes', `acme-live-${MIXED}`],
    ['hexadecimal digits behind a prefix', `sqp_${HEX}`],
    ['a token without a prefix', `${MIXED}${MIXED}`],
    ['letters of one case', `nuget${'k7q3z9mx5wb2vn8rt4yu6io1pa7sd3fg9hj5'.repeat(2)}`],
  ])('finds %s', (_, token) => {
    expect(found(`x "${token}" y`)).toEqual([token]);
  });

  it.each([
    ['a checksum', `commit ${HEX}, sha256-${HEX}`],
    ['the id of a call', `call_${MIXED.slice(0, 24)} resp_${HEX}`],
    ['a UUID behind a prefix', 'rollout-6f1c2a34-9b1e-4c0d-8e2f-1a2b3c4d5e6f'],
    ['names in code', 'getUser2ByIdFromDatabaseOrCache3AndRetry_withAVeryLongNameThatGoesOn2'],
    ['the name of a file', `bundle_${HEX}.js, x-${MIXED}.css`],
    ['a part of a path or of data', `/a/${MIXED}${MIXED}/b+${MIXED}${MIXED}+`],
    ['a text in base64', Buffer.from('{"page":2,"of":"a cursor that is longer"}').toString('base64url')],
    ['a public key', `AAAAC3NzaC1lZDI1NTE5AAAAI${MIXED}${MIXED}`],
    ['a date', 'codex-rx-2026-11-29T10-02-28-000Z-12345678'],
  ])('passes over %s', (_, text) => {
    expect(found(text)).toEqual([]);
  });
});

describe('isMixed', () => {
  it.each([
    [MIXED, true],
    ['k7q3z9mx5wb2vn8rt4yu', true],
    ['getUserByIdFromDatabase', false],
    ['version2of3', false],
  ])('of %s is %j', (part, expected) => {
    expect(isMixed(part)).toBe(expected);
  });
});
