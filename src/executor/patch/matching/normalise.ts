/** Punctuation that models type in ASCII where a file has the typographic form. */
import { trim } from '../grammar/whiteSpace';

const DASHES = /[\u2010-\u2015\u2212]/g;
const SINGLE_QUOTES = /[\u2018-\u201b]/g;
const DOUBLE_QUOTES = /[\u201c-\u201f]/g;
const SPACES = /[\u00a0\u2002-\u200a\u202f\u205f\u3000]/g;

/** A line without blanks at its ends, its dashes, quotes and spaces in ASCII. Source: Codex 0.28.0, CORE 6.6. */
export const normalise = (line: string): string =>
  trim(line).replace(DASHES, '-').replace(SINGLE_QUOTES, "'").replace(DOUBLE_QUOTES, '"').replace(SPACES, ' ');
