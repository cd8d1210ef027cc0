/** Each difference from release 0.28.0 that is declared cites a fault of that release, or a choice. */
import { faults, scenarios } from '../peers/differences.json';

const CITED = /^((?:[A-F]\d+|choice|chance)(?:, (?:[A-F]\d+|choice|chance|requests))*): .{20,}$/;

const reasons = Object.values(scenarios);
const citedBy = (reason: string): string[] => CITED.exec(reason)?.[1]?.split(', ') ?? [];

describe('the declared differences', () => {
  it('have reasons that cite something', () => {
    expect(reasons.filter((reason) => citedBy(reason).length === 0)).toEqual([]);
  });

  it('cite faults that are explained, and explain no other', () => {
    const cited = reasons.flatMap(citedBy).filter((one) => /\d/.test(one));
    expect([...new Set(cited)].sort()).toEqual(Object.keys(faults).sort());
  });
});
