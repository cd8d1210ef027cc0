import { readFileSync } from 'node:fs';
import { isProcOfOurs, ownProc } from '../../../src/io/processes/ownProc';

const leads = (target: string | undefined) => (path: string) => {
  if (path !== '/proc/self' || target === undefined) throw Object.assign(new Error('no'), { code: 'ENOENT' });
  return target;
};

describe('the entry of this process in /proc', () => {
  it.each([
    ['of this PID namespace', '7', '/proc/7', true],
    ['of outside a PID namespace, with another number', '4711', '/proc/4711', false],
    ['that does not show this process', '', undefined, false],
    ['of another kind', 'curproc', undefined, false],
    ['that is not there', undefined, undefined, false],
  ])('comes from /proc/self: a /proc %s', (_, target, entry, ours) => {
    const readlink = leads(target);
    expect([ownProc({ readlink }), isProcOfOurs({ readlink, pid: 7 })]).toEqual([entry, ours]);
  });

  it('is the one that others see', () => {
    expect(readFileSync(`${ownProc()}/comm`)).toEqual(readFileSync('/proc/self/comm'));
  });
});
