import { drift, toDriftReport } from '../../../src/cli/commands/drift';
import type { OfferChange } from '../../../src/tapes/offers/compareOffers';
import { givenBy, problemBy } from '../reading';

const changes: OfferChange[] = [
  { effect: 'compatible', what: 'tool a', text: 'it is new' },
  { effect: 'breaking', what: 'tool b\u001b[2J', text: 'it is gone' },
];

describe('drift', () => {
  it('takes two files, of which one may be stdin', () => {
    expect(givenBy(drift, 'a', '-')).toMatchObject({ old: 'a', new: '-', report: 'text' });
    expect(problemBy(drift, '-', '-')).toBe('only one of the files can be stdin');
    expect(problemBy(drift, 'a')).toBe('NEW is missing');
  });
});

describe('toDriftReport', () => {
  it('lists the changes for a changelog, what breaks first, without control characters', () => {
    expect(toDriftReport('text', changes, 'new').split('\n')).toEqual([
      'Breaking:',
      '- tool b\\x1b[2J: it is gone',
      '',
      'Compatible:',
      '- tool a: it is new',
      '',
      'BREAKING: 1 breaking change, 1 compatible change',
      '',
    ]);
    expect(toDriftReport('text', changes.slice(0, 1), 'new')).toContain('COMPATIBLE: 0 breaking changes, 1 compatible');
    expect(toDriftReport('text', [], 'new')).toBe('SAME: nothing changed\n');
  });

  it('is JSON for a program, and JUnit with a failure for each change that breaks', () => {
    expect(JSON.parse(toDriftReport('json', changes, 'new'))).toEqual({ compatible: false, changes });
    const junit = toDriftReport('junit', changes, 'new');
    expect(junit).toContain('tests="1"');
    expect(junit).toContain('failures="1"');
    expect(junit).toContain('it is gone');
  });
});
