/** Reports of a run, and files of known failures. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALL_RULES, CASES } from '../../../src/testing/conform/caseTable';
import type { Result } from '../../../src/testing/conform/conform';
import { linkOf, protocolOf } from '../../../src/testing/conform/conformCase';
import { toKnownFailures } from '../../../src/testing/conform/knownFailures';
import { type Conformance, failuresOf, toConformReport } from '../../../src/testing/conform/report';

const sentenceOf = (id: string) => CASES.find((one) => one.id === id) as (typeof CASES)[number];

const base = { revision: '2025-11-25', drawing: '', ms: 12 } as const;
const failed: Result = {
  ...base,
  sentence: sentenceOf('ping'),
  verdict: 'failed',
  faults: ['A: it is not empty: {"text":"\u001b[31m"}'],
  drawing:
    'the stream\n  client    a-\n  expected  -A\n  actual    -?\n             ^\n  expected A (an answer); actual ? (an answer)',
  place: { uri: 'failed/ping.jsonl', line: 7 },
};
const passed: Result = { ...base, sentence: sentenceOf('unknown-method'), verdict: 'passed', faults: [] };
const skipped: Result = {
  ...base,
  sentence: sentenceOf('prompts-list'),
  verdict: 'not applicable',
  faults: ['the server declares no prompts'],
};

const run = (known = ''): Conformance => ({
  offer: { name: 'example 1.0.0', revisions: ['2025-11-25'], capabilities: {}, startMs: 5 },
  results: [failed, passed, skipped],
  known: toKnownFailures(known, CASES),
  version: '0.1.0',
});

describe('a report', () => {
  it('shows the sentence, its link, what is wrong and the marbles, without control characters of the server', () => {
    expect(toConformReport('text', run())).toBe(`FAILED ping@2025-11-25 (MUST)
  "The receiver MUST respond promptly with an empty response:"
  https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/ping#behavior-requirements
  A: it is not empty: {"text":"\\x1b[31m"}
  client    a-
  expected  -A
  actual    -?
             ^

2025-11-25  MUST        1 passed, 1 failed, 1 not applicable
example 1.0.0 fails 1 case: 1 passed, 1 failed, 1 not applicable
`);
  });

  it('gives a runner of CI no command of the server', () => {
    const { offer } = run();
    const total = (name: string) => toConformReport('text', { ...run(), offer: { ...offer, name } });
    expect(total('::error file=a::b')).toContain('\n"::error file=a::b" fails 1 case: ');
    expect(total('@a/b 1')).toContain('\n@a/b 1 fails 1 case: ');
  });

  it('of a check that was stopped passes nothing, and counts what was not checked', () => {
    const cut: Conformance = { ...run(), results: [passed], unchecked: 7 };
    expect(toConformReport('text', cut)).toContain('example 1.0.0 was checked in part: 1 passed, 7 not checked\n');
    expect(JSON.parse(toConformReport('json', cut))).toMatchObject({ passed: false, unchecked: 7 });
  });

  it('does not count a known failure, and names one that passes now', () => {
    const known = run('ping # since 2.0\nunknown-method@2025-11-25\n');
    expect(failuresOf(known)).toEqual([]);
    expect(toConformReport('text', known)).toContain('known: ping@2025-11-25 (MUST)');
    expect(toConformReport('text', known)).toContain('PASSES NOW: unknown-method@2025-11-25 (MUST)');
    expect(JSON.parse(toConformReport('json', known))).toMatchObject({
      passed: true,
      passesNow: ['unknown-method@2025-11-25'],
    });
  });

  it('is JUnit with a suite for each revision', () => {
    const text = toConformReport('junit', run());
    expect(text).toContain('<testsuite name="MCP 2025-11-25" tests="3" failures="1" errors="0" skipped="1"');
    expect(text).toContain('name="ping" time="0.012"');
    const ofAgent = toConformReport('junit', { ...run(), results: [{ ...passed, revision: 'ACP 1' }] });
    expect(ofAgent).toContain('<testsuite name="ACP 1"');
  });

  it('is SARIF with a rule for each case, and a result for each failure', () => {
    const { runs } = JSON.parse(toConformReport('sarif', run('ping')));
    expect(runs[0].tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual([
      'ping',
      'unknown-method',
      'prompts-list',
    ]);
    expect(runs[0].results).toEqual([
      {
        ruleId: 'ping',
        level: 'error',
        message: { text: '2025-11-25: A: it is not empty: {"text":"\u001b[31m"}' },
        locations: [
          {
            physicalLocation: { artifactLocation: { uri: 'failed/ping.jsonl' }, region: { startLine: 7 } },
            logicalLocations: [{ name: 'example 1.0.0', kind: 'module' }],
          },
        ],
        partialFingerprints: { case: 'ping@2025-11-25' },
        suppressions: [{ kind: 'external' }],
      },
    ]);
  });

  it('refuses the name of no case', () => {
    expect(() => toKnownFailures('pong', CASES)).toThrow(
      'pong is the name of no case: codex-rx conform --list prints them',
    );
  });
});

describe('the table', () => {
  it('has each name once, and a page for each sentence', () => {
    const ids = CASES.map(({ id }) => id);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
    expect(CASES.filter(({ sentence, section }) => sentence.length < 10 || section === '')).toEqual([]);
  });

  it('has as many cases as its page names', () => {
    const counts = { mcp: 0, tasks: 0, acp: 0 };
    for (const one of [...CASES, ...ALL_RULES]) counts[protocolOf(one)] += 1;
    const page = readFileSync(join(__dirname, '../../../docs/conform.md'), 'utf8');
    const [, mcp, tasks, acp] = /plays (\d+) cases .*?(\d+) of \[tasks.*?(\d+) against/s.exec(page) ?? [];
    expect({ mcp, tasks, acp }).toEqual({ mcp: `${counts.mcp}`, tasks: `${counts.tasks}`, acp: `${counts.acp}` });
  });

  it('links to pages that have moved', () => {
    const ended = sentenceOf('end-of-input');
    expect(linkOf(ended, '2025-11-25')).toMatch(/2025-11-25\/basic\/transports#stdio$/);
    expect(linkOf(ended, '2026-07-28')).toMatch(/2026-07-28\/basic\/transports\/stdio$/);
  });
});
