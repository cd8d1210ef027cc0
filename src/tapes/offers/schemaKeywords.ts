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

const each = (names: string, judge: Judge) => Object.fromEntries(names.split(' ').map((name) => [name, judge]));

/** What a change of a keyword means. Source: JSON Schema 2020-12. */
export const KEYWORDS: Readonly<Record<string, Judge>> = {
  ...each('minimum exclusiveMinimum minLength minItems minProperties minContains', rises),
  ...each('maximum exclusiveMaximum maxLength maxItems maxProperties maxContains', falls),
  ...each('pattern format multipleOf uniqueItems contains propertyNames not allOf', restricts),
};
