import { climbsBack } from '../../../src/agent/safety/trustedPaths';

describe('climbsBack', () => {
  it.each(['a/..', 'a/../b', '../a/..', '/a/b/../c', 'a//./../b', './a/..', '.../..', '--file=a/../b'])(
    'finds the folder above a name in %s',
    (path) => {
      expect(climbsBack(path)).toBe(true);
    },
  );

  it.each(['', '.', '..', '../..', './../a', '/..', '../../a/b', 'a/..b', 'a/b..', 'a/./b'])(
    'passes over %s',
    (path) => {
      expect(climbsBack(path)).toBe(false);
    },
  );
});
