/** Reports how a server conforms: as text, as JSON, as JUnit, as SARIF. */
import { counted } from '../../streams/text/reasons';
import { toVisible, toVisibleLines } from '../../streams/text/visible';
import { junit, REPORTS } from '../../tapes/diff/toReport';
import type { Place, Result } from './conform';
import { ACP_1, LEVELS, linkOf, type Offer, type Sentence } from './conformCase';
import { isKnown, type KnownFailures, nameOf } from './knownFailures';

/** The formats of a report. */
export const CONFORM_REPORTS = [...REPORTS, 'sarif'] as const;

/** What is reported. */
export type Conformance = {
  offer: Offer;
  /** In the order of the table. */
  results: readonly Result[];
  known: KnownFailures;
  /** How many cases and rules were not checked, as the check was stopped. Default 0. */
  unchecked?: number;
  /** Of this program. */
  version: string;
};

type ReportFormat = (typeof CONFORM_REPORTS)[number];

/** Failures that nobody expects. */
export const failuresOf = ({ results, known }: Conformance): Result[] =>
  results.filter((one) => one.verdict === 'failed' && !isKnown(known, one));

/** Passed, although a failure is expected. */
const fixedOf = ({ results, known }: Conformance): Result[] =>
  results.filter((one) => one.verdict === 'passed' && isKnown(known, one));

/** The report. No control character of the server reaches a terminal. */
export const toConformReport = (format: ReportFormat, conformance: Conformance): string => {
  switch (format) {
    case 'text':
      return toVisibleLines(toText(conformance));
    case 'json':
      return `${toVisibleLines(JSON.stringify(toJson(conformance), null, 2))}\n`;
    case 'junit':
      return toJunit(conformance);
    case 'sarif':
      return `${toVisibleLines(JSON.stringify(toSarif(conformance), null, 2))}\n`;
  }
};

const toText = (conformance: Conformance): string => {
  const { offer, results, known } = conformance;
  const expected = results.filter((one) => one.verdict === 'failed' && isKnown(known, one));
  const lines = [
    ...failuresOf(conformance).flatMap((one) => toBlock('FAILED', one)),
    ...expected.map((one) => `known: ${titleOf(one)}: ${one.faults[0] ?? ''}`),
    ...fixedOf(conformance).map((one) => `PASSES NOW: ${titleOf(one)}: remove it from the expected failures`),
    ...(results.some(({ verdict }) => verdict === 'failed') ? [''] : []),
    ...tableOf(results),
    totalOf(conformance, offer),
  ];
  return `${lines.join('\n')}\n`;
};

const titleOf = (one: Result): string => `${nameOf(one)} (${one.sentence.level})`;

const toBlock = (head: string, one: Result): string[] => {
  const [, ...drawn] =
    one.drawing === ''
      ? ['']
      : ['', ...one.drawing.split('\n').filter((row) => /^ {2}(?:(?:client|expected|actual) +[^ ]+$| +\^)/.test(row))];
  return [
    `${head} ${titleOf(one)}`,
    `  "${one.sentence.sentence}"`,
    `  ${linkOf(one.sentence, one.revision)}`,
    ...one.faults.slice(0, MAX_FAULTS).map((fault) => `  ${fault}`),
    ...drawn,
  ];
};

const MAX_FAULTS = 4;

/** A row for each revision and level. */
const tableOf = (results: readonly Result[]): string[] =>
  [...new Set(results.map(({ revision }) => revision))].sort().flatMap((revision) =>
    LEVELS.flatMap((level) => {
      const own = results.filter((one) => one.revision === revision && one.sentence.level === level);
      return own.length === 0 ? [] : [`${revision}  ${level.padEnd(10)}  ${countsOf(own)}`];
    }),
  );

const countsOf = (results: readonly Result[]): string => {
  const count = (verdict: Result['verdict']): number => results.filter((one) => one.verdict === verdict).length;
  const [passed, failed, skipped] = [count('passed'), count('failed'), count('not applicable')];
  return [
    `${passed} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(skipped > 0 ? [`${skipped} not applicable`] : []),
  ].join(', ');
};

/** A name that begins as a command to a runner of CI, such as `::error`, is quoted. */
const toSubject = (name: string): string => (/^[\p{L}\p{N}@]/u.test(name) ? name : JSON.stringify(name));

const totalOf = (conformance: Conformance, offer: Offer): string => {
  const name = toSubject(offer.name);
  const failed = failuresOf(conformance).length;
  const isChecked = conformance.results.some(({ verdict }) => verdict !== 'not applicable');
  const { unchecked = 0 } = conformance;
  if (unchecked > 0) return `${name} was checked in part: ${countsOf(conformance.results)}, ${unchecked} not checked`;
  const verdict = failed > 0 ? `fails ${counted(failed, 'case')}` : isChecked ? 'conforms' : 'has nothing to check';
  return `${name} ${verdict}: ${countsOf(conformance.results)}`;
};

const toJson = (conformance: Conformance): object => ({
  passed: failuresOf(conformance).length === 0 && !conformance.unchecked,
  unchecked: conformance.unchecked ?? 0,
  server: conformance.offer,
  passesNow: fixedOf(conformance).map(nameOf),
  results: conformance.results.map((one) => ({
    id: one.sentence.id,
    revision: one.revision,
    level: one.sentence.level,
    verdict: one.verdict,
    expected: isKnown(conformance.known, one),
    sentence: one.sentence.sentence,
    link: linkOf(one.sentence, one.revision),
    official: one.sentence.official,
    faults: one.faults,
    ms: one.ms,
  })),
});

const toJunit = (conformance: Conformance): string => {
  const builder = junit().newBuilder();
  for (const revision of new Set(conformance.results.map((one) => one.revision))) {
    const suite = builder.testSuite().name(revision === ACP_1 ? revision : `MCP ${revision}`);
    for (const one of conformance.results.filter((result) => result.revision === revision)) {
      const { sentence, verdict, faults, ms } = one;
      const row = suite
        .testCase()
        .className(`${sentence.level} ${revision}`)
        .name(sentence.id)
        .time(ms / 1000);
      const text = toVisible([...faults, `"${sentence.sentence}" ${linkOf(sentence, revision)}`].join('; '));
      if (verdict === 'not applicable' || (verdict === 'failed' && isKnown(conformance.known, one))) row.skipped();
      else if (verdict === 'failed') row.failure(text, sentence.level);
    }
  }
  return `${builder.build()}\n`;
};

/** Source: SARIF 2.1.0, reportingDescriptor and result. */
const toSarif = (conformance: Conformance): object => {
  const failed = conformance.results.filter(({ verdict }) => verdict === 'failed');
  const rules = [...new Map(conformance.results.map((one) => [one.sentence.id, one])).values()];
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'codex-rx conform', version: conformance.version, rules: rules.map(toSarifRule) } },
        results: failed.map((one) => toSarifResult(conformance, one)),
      },
    ],
  };
};

const SARIF_LEVELS: Readonly<Record<Sentence['level'], string>> = {
  MUST: 'error',
  SHOULD: 'warning',
  ROBUSTNESS: 'note',
};

const toSarifRule = ({ sentence, revision }: Result): object => ({
  id: sentence.id,
  shortDescription: { text: sentence.sentence },
  helpUri: linkOf(sentence, revision),
  defaultConfiguration: { level: SARIF_LEVELS[sentence.level] },
});

const toSarifResult = ({ offer, known }: Conformance, one: Result): object => ({
  ruleId: one.sentence.id,
  level: SARIF_LEVELS[one.sentence.level],
  message: { text: `${one.revision}: ${one.faults.join('; ')}` },
  locations: [{ ...(one.place && toPhysical(one.place)), logicalLocations: [{ name: offer.name, kind: 'module' }] }],
  partialFingerprints: { case: nameOf(one) },
  ...(isKnown(known, one) && { suppressions: [{ kind: 'external' }] }),
});

/** GitHub shows only results that have one. */
const toPhysical = ({ uri, line }: Place): object => ({
  physicalLocation: { artifactLocation: { uri }, region: { startLine: line } },
});
