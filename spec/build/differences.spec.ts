/** The page of differences holds what `differences.json` declares, and each reason cites a fault of the page or a choice. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import declared from '../../docs/differences.json';

const page = readFileSync(join(__dirname, '../../docs/differences.md'), 'utf8');

const CITED = /^((?:[A-F]\d+|choice|chance)(?:, (?:[A-F]\d+|choice|chance|requests))*): .{20,}$/;

const citedBy = (reason: string): string[] => CITED.exec(reason)?.[1]?.split(', ') ?? [];

describe('docs/differences.md', () => {
  it('has the table that is made from docs/differences.json', () => {
    const script = join(__dirname, '../../build/differences.mjs');
    expect(execFileSync(process.execPath, [script, '--print'], { encoding: 'utf8' })).toBe(page);
    for (const scenario of Object.keys(declared)) expect(page).toContain(scenario);
  });

  it('explains each number that a reason cites', () => {
    const cited = Object.values(declared)
      .flatMap(citedBy)
      .filter((one) => /\d/.test(one));
    const explained = [...page.matchAll(/^\| ([A-F]\d+) \|[^|]+\|$/gm)].map(([, number]) => number);
    expect(cited.filter((number) => !explained.includes(number))).toEqual([]);
  });

  it('has reasons that cite something', () => {
    expect(Object.values(declared).filter((reason) => citedBy(reason).length === 0)).toEqual([]);
  });
});
