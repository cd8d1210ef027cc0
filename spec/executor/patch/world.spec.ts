import type { Seen } from '../../../src/executor/patch/seen';
import { noWorld, placeAt, type World, withFile, withMove } from '../../../src/executor/patch/world';
import { textFile, viewOf } from './support';

const linked: Seen = { kind: 'file', real: '/ws/f', entry: '/ws/link', file: textFile('a') };
const blocked: Seen = { kind: 'blocked', part: 'file', reason: 'no' };
const world = noWorld(viewOf({ f: 'a', link: linked, no: blocked }, ['f', 'link', 'no', 'new']));
const file = (text: string, entry = '/ws/f', absolute = '/ws/f') => ({
  kind: 'file',
  real: '/ws/f',
  entry,
  absolute,
  file: textFile(text),
});
const absent = (real: string, absolute = real) => ({ kind: 'absent', real, absolute });
const changed = withFile(world, { path: 'f', real: '/ws/f' }, textFile('b'));
const removed = withFile(world, { path: 'f', real: '/ws/f' }, undefined);
const unlinked = withFile(world, { path: 'link', real: '/ws/link' }, undefined);

describe('placeAt', () => {
  it.each<[string, World, string, object]>([
    ['a file as it was seen         ', world, 'f', file('a')],
    ['a file behind a link          ', world, 'link', file('a', '/ws/link', '/ws/link')],
    ['nothing                       ', world, 'new', absent('/ws/new')],
    ['what cannot be read           ', world, 'no', { ...blocked, absolute: '/ws/no' }],
    ['a file as the patch changed it', changed, 'f', file('b')],
    ['the same behind the link      ', changed, 'link', file('b', '/ws/link', '/ws/link')],
    ['nothing where it was removed  ', removed, 'f', absent('/ws/f')],
    ['nothing behind the link to it ', removed, 'link', absent('/ws/f', '/ws/link')],
    ['nothing where the link is gone', unlinked, 'link', absent('/ws/link')],
    ['the file that it led to       ', unlinked, 'f', file('a')],
  ])('finds %s', (_, at, path, place) => {
    expect(placeAt(at, path)).toEqual(place);
  });

  it('throws if the view lacks a path', () => {
    expect(() => placeAt(world, 'other')).toThrow('the view of the files does not hold other');
  });
});

describe('withFile', () => {
  it('keeps the first name of a file, and leaves the world before as it was', () => {
    const renamed = withFile(changed, { path: 'link', real: '/ws/f' }, undefined);
    expect(renamed).toEqual({
      seen: world.seen,
      now: new Map([['/ws/f', undefined]]),
      names: new Map([['/ws/f', { path: 'f', absolute: '/ws/f' }]]),
      moves: new Map(),
    });
    expect([world.now.size, [...changed.now.values()]]).toEqual([0, [textFile('b')]]);
  });
});

describe('withMove', () => {
  it('continues the move of a file that moved before', () => {
    const once = withMove(world, 'a', 'b');
    expect([...withMove(once, 'b', 'c').moves]).toEqual([['a', 'c']]);
    expect([...withMove(once, 'x', 'y').moves]).toEqual([
      ['a', 'b'],
      ['x', 'y'],
    ]);
    expect([...once.moves]).toEqual([['a', 'b']]);
  });
});
