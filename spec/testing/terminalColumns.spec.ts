import { terminalColumns } from '../../src/testing/marbles';

describe('terminalColumns', () => {
  it.each([
    ['the terminal', 132, {}, 132],
    ['the terminal before the environment', 132, { COLUMNS: '60' }, 132],
    ['the environment of a worker', undefined, { COLUMNS: '60' }, 60],
    ['80 without a terminal', undefined, {}, 80],
    ['80 for what is no number', undefined, { COLUMNS: 'wide' }, 80],
    ['40 at least', 12, {}, 40],
  ])('are those of %s', (_, columns, env, expected) => {
    expect(terminalColumns({ stdout: { columns }, env })).toBe(expected);
  });
});
