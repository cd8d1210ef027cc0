import { toTable } from '../../../src/tapes/stats/toStatsTable';

const rows = [
  ['name', 'n'],
  ['a long name of a tool', 7],
  ['b', null],
];

describe('toTable', () => {
  it('aligns names left and numbers right', () => {
    expect(toTable(rows, 0, 80)).toEqual([
      'name                   n',
      'a long name of a tool  7',
      'b                      -',
    ]);
  });

  it('cuts names to fit, to twelve columns at least', () => {
    expect(toTable(rows, 0, 15)).toEqual(['name          n', 'a long name…  7', 'b             -']);
    expect(toTable(rows, 0, 14)).toBeUndefined();
  });

  it('is empty without rows', () => {
    expect(toTable([], 0, 40)).toEqual([]);
  });
});
