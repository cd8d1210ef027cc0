import { type IdPlace, placeBehind, placeOf, placeOfPrefix } from '../../../src/tapes/diff/idPlace';

describe('placeOf', () => {
  it.each<[string, IdPlace]>([
    ['id', 'id'],
    ['ids', 'id'],
    ['userId', 'id'],
    ['account_id', 'id'],
    ['guid', 'id'],
    ['requestId', 'passingId'],
    ['x-request-id', 'passingId'],
    ['taskIDs', 'passingId'],
    ['session', 'passing'],
    ['nextCursor', 'passing'],
    ['idempotency_token', 'passing'],
    ['commitId', 'content'],
    ['sha256', 'content'],
    ['image_id', 'content'],
    ['versionId', 'content'],
    ['sessionHash', 'content'],
    ['etag', 'content'],
    ['grid', 'other'],
    ['android', 'other'],
    ['text', 'other'],
    ['sessionName', 'other'],
    ['', 'other'],
  ])('of %j is %s', (name, place) => {
    expect(placeOf(name)).toBe(place);
  });
});

describe('placeOfPrefix', () => {
  it.each<[string, IdPlace]>([
    ['sess', 'passing'],
    ['toolu', 'passing'],
    ['MSG', 'passing'],
    ['sha', 'content'],
    ['commit', 'content'],
    ['usr', 'other'],
  ])('of %j is %s', (prefix, place) => {
    expect(placeOfPrefix(prefix)).toBe(place);
  });
});

describe('placeBehind', () => {
  it.each<[string, IdPlace]>([
    ['session ', 'passing'],
    ['The session id is "', 'passingId'],
    ['Opened session: ', 'passing'],
    ['Task created: `', 'passing'],
    ['https://host/sessions/', 'passing'],
    ['?cursor=', 'passing'],
    ['X-Request-Id: ', 'passingId'],
    ['id #', 'id'],
    ['the commit id ', 'content'],
    ['sha256:', 'content'],
    ['the session file ', 'content'],
    ['/blobs/', 'content'],
    ['the commit of the session ', 'passing'],
    ['session', 'other'],
    ['session =====', 'other'],
    ['session, ', 'other'],
    ['session took all of ', 'other'],
    ['a word ', 'other'],
    [': ', 'other'],
    ['', 'other'],
  ])('%j is %s', (before, place) => {
    expect(placeBehind(before)).toBe(place);
    expect(placeBehind(`${'x '.repeat(100)}${before}`)).toBe(before === '' || before === ': ' ? 'other' : place);
  });
});
