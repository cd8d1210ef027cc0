import { join } from 'node:path';
import { ownersHere } from '../../../src/io/disk/ownersHere';
import { openFolder, removeFolders } from '../../support/files';

afterAll(removeFolders);

describe('ownersHere', () => {
  it('is one owner for this process, whom others in another pid namespace recognise by its socket', () => {
    const folder = openFolder();
    const owners = ownersHere({ folder, sockets: join(folder, 'alive') });
    const self = owners.self();
    expect([owners.self(), owners.stateOf(self)]).toEqual([self, 'self']);
    expect(owners.nameOf(self)).toBe(`the process ${process.pid}`);
    const inside = { ...self, space: 'pid:[1]', pid: 3 };
    if (process.platform !== 'linux') return;
    expect([owners.stateOf(inside), owners.nameOf(inside)]).toEqual(['lives', 'the process 3 of a container']);
    owners.forget(inside);
    expect(owners.stateOf(inside)).toBe('ended');
    const { socket: _, ...silent } = inside;
    expect(owners.stateOf(silent)).toBe('unknown');
  });
});
