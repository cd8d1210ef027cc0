import fc from 'fast-check';
import { toUuid } from '../../../src/protocol/codex/toUuid';

const ID = '0123abcd-4567-89ef-0123-456789abcdef';

describe('toUuid', () => {
  it.each([ID, ID.toUpperCase(), ID.replaceAll('-', ''), `{${ID}}`, `urn:uuid:${ID}`])('reads %s', (text) => {
    expect(toUuid(text)).toBe(ID);
  });

  it('leaves any other text as it is, and every UUID', () => {
    expect(['', 'thread', ID.slice(1)].map(toUuid)).toEqual(['', 'thread', ID.slice(1)]);
    fc.assert(fc.property(fc.uuid(), (id) => toUuid(id) === id));
  });
});
