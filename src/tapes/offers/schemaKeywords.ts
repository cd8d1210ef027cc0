/** What a change of a keyword of JSON Schema means for the values that fit. */

/** Fewer values fit than before (`narrower`), more (`wider`), perhaps both (`either`), or the same (`none`). */
export type Effect = 'narrower' | 'wider' | 'either' | 'none';

/** Members that say nothing about values. */
export const TEXTS = ['title', 'description', 'default', 'examples', 'deprecated', '$comment'];

/** Whether fewer values fit after a change of a keyword from one value to another; undefined stands for no such keyword. */
export type Judge = (before: unknown, after: unknown) => Effect;

const rises: Judge = (before, after) => byNumber([before, after], ['narrower', 'wider']);
const falls: Judge = (before, after) => byNumber([before, after], ['wider', 'narrower']);

const byNumber = ([before, after]: readonly unknown[], [more, less]: readonly [Effect, Effect]): Effect => {
  if (after === undefined) return 'wider';
  if (before === undefined) return 'narrower';
  if (typeof before !== 'number' || typeof after !== 'number') return 'either';
  return after > before ? more : less;
};

const restricts: Judge = (before, after) => {
  if (after === undefined || after === false) return 'wider';
  return before === undefined || before === false ? 'narrower' : 'either';
};

/** What a change of a keyword means. Source: JSON Schema 2020-12. */
export const KEYWORDS: Readonly<Record<string, Judge>> = {
  ...Object.fromEntries(
    ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties', 'minContains'].map((name) => [
      name,
      rises,
    ]),
  ),
  ...Object.fromEntries(
    ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties', 'maxContains'].map((name) => [
      name,
      falls,
    ]),
  ),
  ...Object.fromEntries(
    ['pattern', 'format', 'multipleOf', 'uniqueItems', 'contains', 'propertyNames', 'not', 'allOf'].map((name) => [
      name,
      restricts,
    ]),
  ),
};
