import { type Owner, type OwnerState, ownerState, ownerText, readOwner } from '../../../src/io/files/owner';

const SELF: Owner = { pid: 7, start: '70', host: 'here', boot: 'B', space: 'S', machine: 'M', disk: 'own' };
const starts: Record<number, string> = { 7: '70', 8: '80', 9: '?' };

/** Its state for this process, and whether its socket was asked, which answers `answer`. */
const look = (own: Partial<Owner>, facts: Owner = SELF, answer: 'lives' | 'ended' | 'unknown' = 'lives') => {
  const asked: Owner[] = [];
  const knock = (owner: Owner) => {
    asked.push(owner);
    return answer;
  };
  const owner = { ...SELF, pid: 8, start: '80', ...own };
  return [ownerState({ facts, startOf: (pid) => starts[pid], knock }, owner), asked.length];
};

describe('ownerState', () => {
  it.each<[string, Partial<Owner>, OwnerState]>([
    ['this process', { pid: 7, start: '70' }, 'self'],
    ['this process under an earlier name of its host', { pid: 7, start: '70', host: 'before' }, 'self'],
    ['a process that runs', {}, 'lives'],
    ['the same under another name of the host', { host: 'before' }, 'lives'],
    ['a process that has ended', { pid: 10 }, 'ended'],
    ['one whose id a later process has', { start: '79' }, 'ended'],
    ['one whose id this process has, as in a container that started again', { pid: 7, start: '69' }, 'ended'],
    ['a process of this machine before it started again', { boot: 'A' }, 'ended'],
    ['the same under another name', { boot: 'A', host: 'before', machine: 'N' }, 'ended'],
    ['a process of this machine, on a network file system', { boot: 'A', disk: '6969' }, 'ended'],
    ['a process of another machine', { boot: 'A', disk: '6969', machine: 'N' }, 'unknown'],
    ['one of another machine with the name of this one', { boot: 'A', disk: '6969', machine: undefined }, 'unknown'],
  ])('knows %s without its socket', (_, own, state) => {
    expect(look(own)).toEqual([state, 0]);
  });

  it.each(['lives', 'ended', 'unknown'] as const)(
    'asks the socket of a process in another pid namespace: %s',
    (answer) => {
      expect(look({ space: 'T' }, SELF, answer)).toEqual([answer, 1]);
      expect(look({ space: 'T', pid: 10 }, SELF, answer)).toEqual([answer, 1]);
    },
  );

  it('asks the socket if the start of a process cannot be known', () => {
    expect(look({ pid: 9 }, SELF, 'ended')).toEqual(['ended', 1]);
    expect(look({ start: '?' }, SELF, 'unknown')).toEqual(['unknown', 1]);
  });

  it('compares the names of hosts only if a system has no boot id', () => {
    const { boot: _, space: __, machine: ___, ...plain } = SELF;
    expect(look({ boot: undefined })).toEqual(['lives', 0]);
    expect(look({ boot: undefined, pid: 10 })).toEqual(['ended', 0]);
    expect(look({ boot: undefined, pid: 10, host: 'there' })).toEqual(['unknown', 0]);
    expect(look({ pid: 10, host: 'there' }, plain)).toEqual(['unknown', 0]);
    expect(look({ pid: 7, start: '70', host: 'there', boot: undefined, space: undefined }, plain)).toEqual([
      'unknown',
      0,
    ]);
  });
});

describe('readOwner', () => {
  it('reads what was written', () => {
    const owner = { ...SELF, socket: { name: '.codex-rx-1.alive', folder: '1:2' } };
    expect(readOwner(JSON.parse(JSON.stringify(owner)))).toEqual(owner);
  });

  it.each<[unknown, Owner]>([
    [undefined, { pid: 0, start: '', host: '' }],
    [
      { pid: '7', boot: 7 },
      { pid: 0, start: '', host: '' },
    ],
    [
      { pid: 7, start: 'a', host: 'h', socket: { name: '../x', folder: '1:2' } },
      { pid: 7, start: 'a', host: 'h' },
    ],
  ])('leaves out what is none: %j', (value, owner) => {
    expect(readOwner(value)).toEqual(owner);
  });
});

describe('ownerText', () => {
  it.each<[Partial<Owner>, string]>([
    [{}, 'the process 8'],
    [{ host: 'there' }, 'the process 8 of the host there'],
    [{ space: 'T' }, 'the process 8 of a container'],
    [{ pid: 0 }, 'another program'],
  ])('names %j', (own, text) => {
    expect(ownerText({ ...SELF, pid: 8, ...own }, SELF)).toBe(text);
  });
});
