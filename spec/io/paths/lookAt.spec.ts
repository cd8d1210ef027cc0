import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { factsOrThrow, isAbsent, linkFactsOrThrow, lookAt, lookAtLink } from '../../../src/io/paths/lookAt';
import { openHome, removeHomes } from '../../support/home';

const home = openHome();
const at = (name: string): string => join(home.path, name);

beforeAll(() => {
  writeFileSync(at('text'), 'text');
  mkdirSync(at('folder'));
  symlinkSync('loop', at('loop'));
  symlinkSync(at('text'), at('link'));
});
afterAll(removeHomes);

describe('a look that decides about safety', () => {
  it.each(['none', 'text/below', 'x'.repeat(300)])('finds that nothing can be at %s', (name) => {
    expect([lookAt(at(name)), lookAtLink(at(name))]).toEqual([{ kind: 'absent' }, { kind: 'absent' }]);
    expect(() => factsOrThrow(at(name))).toThrow();
  });

  it('does not know what is behind a loop of links, which may be there for others', () => {
    expect(lookAt(at('loop'))).toEqual({ kind: 'unknown', error: expect.objectContaining({ code: 'ELOOP' }) });
    expect(lookAtLink(at('loop/below')).kind).toBe('unknown');
    expect(() => linkFactsOrThrow(at('loop/below'))).toThrow('ELOOP');
  });

  it('has the facts of what is there', () => {
    const [behind, itself] = [lookAt(at('link')), lookAtLink(at('link'))];
    expect([behind.kind === 'there' && behind.facts.isFile(), factsOrThrow(at('link')).isFile()]).toEqual([true, true]);
    expect(itself.kind === 'there' && itself.facts.isSymbolicLink()).toBe(true);
    expect(linkFactsOrThrow(at('link')).isSymbolicLink()).toBe(true);
  });

  it.each([
    ['ENOENT', true],
    ['ENOTDIR', true],
    ['EACCES', false],
    ['ELOOP', false],
    ['EIO', false],
  ])('takes %s for absence: %j', (code, expected) => {
    expect(isAbsent(Object.assign(new Error(), { code }))).toBe(expected);
  });
});
