import { contextWindowOf, familyReasons, hasVerbosity } from '../../src/settings/toConfig';
import { loaded } from './deps';

const table: [model: string, contextWindow: number | null, reasons: boolean | undefined][] = [
  ['gpt-5', 400_000, true],
  ['gpt-5-mini', 272_000, true],
  ['gpt-5.4', 272_000, true],
  ['o3', 200_000, true],
  ['o3-mini', 200_000, true],
  ['o4-mini', 200_000, true],
  ['codex-mini-latest', 200_000, true],
  ['codex-anything', 400_000, true],
  ['gpt-4.1', 1_047_576, false],
  ['gpt-4.1-2025-04-14', 1_047_576, false],
  ['gpt-4o', 128_000, false],
  ['gpt-4o-2024-05-13', 128_000, false],
  ['gpt-3.5-turbo', 16_385, false],
  ['gpt-oss-20b', 96_000, false],
  ['gpt-oss:20b', null, false],
  ['mine', null, undefined],
];

describe('contextWindowOf', () => {
  it.each(table)('knows %s to hold %s tokens', (model, tokens) => expect(contextWindowOf(model)).toBe(tokens));
});

describe('contextWindowOf a family', () => {
  it.each([
    ['gpt-6-sol', 272_000],
    ['gpt-6.1-terra', 500_000],
    ['gpt-6.2-sol', 500_000],
    ['gpt-6.2-astra', 272_000],
    ['gpt-6.9-new', 272_000],
    ['gpt-daybreak-red-latest', 372_000],
    ['codex-auto-review', 272_000],
    ['my-gpt-6', null],
  ])('knows %s to hold %s tokens', (model, tokens) => expect(contextWindowOf(model)).toBe(tokens));
});

describe('familyReasons', () => {
  it.each(table)('knows of %s, with a window of %s tokens: %s', (model, _, reasons) =>
    expect(familyReasons(model)).toBe(reasons),
  );

  it.each([
    ['gpt-4.1', false],
    ['mine', true],
  ])('lets the key decide only if it knows no family: %s', (model, supportsReasoningSummaries) => {
    const overrides = ['model_supports_reasoning_summaries=true'];
    expect(loaded({ overrides }, { model })).toMatchObject({ supportsReasoningSummaries });
  });
});

describe('hasVerbosity', () => {
  it.each([
    ['gpt-5', true],
    ['gpt-5-mini', true],
    ['gpt-5.1', true],
    ['gpt-5-codex', false],
    ['gpt-5.1-codex-max', false],
    ['gpt-4.1', false],
    ['mine', false],
  ])('knows of %s: %s', (model, has) => {
    expect(hasVerbosity(model)).toBe(has);
    expect(loaded({ overrides: ['model_verbosity=low'] }, { model }).verbosity).toBe(has ? 'low' : undefined);
  });
});
