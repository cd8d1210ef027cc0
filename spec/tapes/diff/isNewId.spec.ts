import fc from 'fast-check';
import { type IdPlace, isNewId, placeBehind, placeOf, placeOfPrefix } from '../../../src/tapes/diff/isNewId';

const PLACES: IdPlace[] = ['id', 'passing', 'passingId', 'content', 'other'];
const HASH = {
  sha1: ['356a192b7913b04c54574d18c28d46e6395428ab', 'da4b9237bacccdf19c0760cab7aec4a8359010b0'],
  sha256: [
    '6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b',
    'd4735e3a265e16eee03f59718b9b5d03019c07d8b6c51f90da3a666eec13ab35',
  ],
} as const;
/** The places where the one may stand for the other. */
const placesOf = (recorded: string, now: string): IdPlace[] =>
  PLACES.filter((place) => isNewId(recorded, now, place) && isNewId(now, recorded, place));
const NAMED: IdPlace[] = ['id', 'passing', 'passingId'];

describe('isNewId', () => {
  it.each<[string, string, string, IdPlace[]]>([
    ['hex', '9f86d081884c7d65', 'a3f5c0b11e7d942c', NAMED],
    ['eight hex digits', '9f86d081', 'a3f5c0b1', NAMED],
    ['capital hex', '9F86D081884C7D65', 'A3F5C0B11E7D942C', NAMED],
    ['an ObjectId', '6553f1a09c8b7d6e5f4a3b21', '65541c2f0d1e2f3a4b5c6d7e', NAMED],
    ['a nanoid', 'V1StGXR8_Z5jdHi6B-myT', 'Uakgb-J5m9g_0JDMbcJqL', NAMED],
    ['letters and digits', 'k3x9qpa7', '7tz2m0wv', NAMED],
    ['what Math.random() writes', 'q7h3k0x9zt', '4f9wz1m8k2p', NAMED],
    ['a ULID', '01KAQ3M9Z5T6B7C8D9E0F1G2H3', '01KAR7XWV8N4P2Q6R3S5T7J9K1', ['id', 'passing', 'passingId', 'other']],
    ['a session', 'sess_9fK2mQ8xT1', 'sess_Lw7Bz04RcY', ['id', 'passing', 'passingId', 'other']],
    ['a task of hex', 'task-9f86d081', 'task-a3f5c0b1', ['id', 'passing', 'passingId', 'other']],
    ['a prefix of its own', 'usr_9fK2mQ8xT1', 'usr_Lw7Bz04RcY', NAMED],
    ['nine digits', '483920117', '917364052', ['id', 'passingId']],
    ['six digits', '483920', '917364', ['passingId']],
    ['SHA-1', ...HASH.sha1, ['passing', 'passingId']],
    ['SHA-256', ...HASH.sha256, ['passing', 'passingId']],
    ['a commit', 'commit_9f86d081884c', 'commit_a3f5c0b11e7d', []],
    ['words', 'release2024', 'version1999', []],
    ['words with digits between', 'alpha1beta2gamma', 'delta3zeta4omega', []],
    ['words with dashes', 'monday-report-first', 'friday-accounts-all', []],
    ['a counter', 'sess_0000000001', 'sess_0000000002', []],
    ['a counter of digits', '100000001', '100000002', []],
    ['other lengths', '9f86d081884c7d65', 'a3f5c0b11e7d942', []],
    ['digits of other lengths', '483920117', '91736405211', []],
    ['Math.random() of other lengths', 'q7h3k0x9zt', '4f9wz1m8k2p5ab', []],
    ['letters before one digit', 'kqxzwvbj7', 'zpxqgtrf3', []],
    ['four characters', 'a1b2a1b2a1', 'c3d4c3d4c3', []],
    ['other prefixes', 'sess_9fK2mQ8xT1', 'task_Lw7Bz04RcY', []],
    ['other alphabets', '9f86d081884c7d65', 'A3F5C0B11E7D942C', []],
    ['few characters', 'a1a1a1a1a1', 'b2b2b2b2b2', []],
    ['a date', '20241112', '20260730', []],
    ['a version', '1.22.333-4', '9.87.654-3', []],
    ['a path', '/srv/a1b2c3d4', '/opt/e5f6a7b8', []],
    ['the same', 'sess_9fK2mQ8xT1', 'sess_9fK2mQ8xT1', []],
    ['nothing', '', 'sess_9fK2mQ8xT1', []],
  ])('takes %s where it may stand', (_, recorded, now, places) => {
    expect(placesOf(recorded, now)).toEqual(places);
  });

  const BASE62 = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'];
  const ofLetters = (letters: readonly string[], length: number) =>
    fc.array(fc.constantFrom(...letters), { minLength: length, maxLength: length }).map((all) => all.join(''));

  it.each<[string, readonly string[], number]>([
    ['hex', [...'0123456789abcdef'], 16],
    ['base 36', BASE62.slice(26), 16],
    ['base 62', BASE62, 16],
  ])('takes nearly all random ids of %s', (_, letters, length) => {
    const drawn = fc.sample(fc.noBias(ofLetters(letters, length)), { numRuns: 2000, seed: 7 });
    const pairs = drawn.slice(1).map((now, i) => isNewId(drawn[i] as string, now, 'id'));
    expect(pairs.filter((isTaken) => !isTaken).length).toBeLessThan(0.03 * pairs.length);
  });

  const word = fc.constantFrom(
    ...'report build session token error worker alpha server client monday release stable canary default config'.split(
      ' ',
    ),
  );
  const small = fc.nat({ max: 9999 }).map(String);

  it('takes no words, whatever the numbers between them and wherever they stand', () => {
    const phrase = fc.array(
      fc.tuple(
        word,
        small.map((digits) => digits.slice(0, 2)),
      ),
      { minLength: 1, maxLength: 4 },
    );
    const text = fc.tuple(phrase, fc.constantFrom('', '-', '_')).map(([all, joint]) => all.flat().join(joint));
    fc.assert(
      fc.property(text, text, fc.constantFrom(...PLACES), (recorded, now, place) => {
        expect(isNewId(recorded, now, place)).toBe(false);
      }),
    );
  });

  it('takes no counts, no versions and no dates', () => {
    const version = fc.tuple(small, small, small).map((parts) => parts.join('.'));
    const date = fc
      .date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
      .map((one) => one.toISOString().slice(0, 10));
    const text = fc.oneof(small, version, date, fc.double().map(String));
    fc.assert(
      fc.property(text, text, fc.constantFrom(...PLACES), (recorded, now, place) => {
        expect(isNewId(recorded, now, place)).toBe(false);
      }),
    );
  });

  it('takes no hash in a place for any id', () => {
    const hash = fc.constantFrom(40, 56, 64, 96, 128).chain((length) => {
      const one = ofLetters([...'0123456789abcdef'], length);
      return fc.tuple(one, one);
    });
    fc.assert(
      fc.property(hash, fc.constantFrom<IdPlace>('id', 'content', 'other'), ([recorded, now], place) => {
        expect(isNewId(recorded, now, place)).toBe(false);
      }),
    );
  });

  it('takes nothing of which the end stayed', () => {
    fc.assert(
      fc.property(ofLetters(BASE62, 8), ofLetters(BASE62, 8), ofLetters(BASE62, 12), (a, b, end) => {
        expect(PLACES.some((place) => isNewId(a + end, b + end, place))).toBe(false);
      }),
    );
  });

  it('is symmetric', () => {
    const text = fc.oneof(ofLetters(BASE62, 10), small, word, fc.string());
    fc.assert(
      fc.property(text, text, fc.constantFrom(...PLACES), (a, b, place) => {
        expect(isNewId(a, b, place)).toBe(isNewId(b, a, place));
      }),
    );
  });
});

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
