/** What is wrong with a text that is not TOML, and what to do about it. */
import type { TomlError } from 'smol-toml';

const NO_KEY =
  'the key cannot be read; write KEY = VALUE, and a key with other characters than letters, digits, - and _ in quotes';

/** What the parser reports, and what the author of the file has most likely done. */
const REMEDIES: Readonly<Record<string, string>> = {
  'incomplete key-value: cannot find end of key': NO_KEY,
  'unfinished string': 'a string is not closed; end it with the quotes that it begins with',
  'invalid value': 'the value cannot be read; put a text in quotes',
  'illegal character in key': NO_KEY,
  'trying to redefine an already defined table or value': 'this key or table is there already; remove one of the two',
  'unrecognised escape sequence':
    'the escape sequence is unknown; write \\\\ for a backslash, or put the text in single quotes',
  'expected comma or end of structure': 'a comma is missing, or the list or table is not closed',
  'each key-value declaration must be followed by an end-of-line':
    'the line goes on behind the value; put the whole text in quotes, or begin a new line',
};

const CONTROL = 'control characters are not allowed in strings';

/** The cause and the remedy; the parser's own words where no remedy is known. The excerpt that it adds is left out: the line may hold a key. */
export const tomlFault = (text: string, error: TomlError): string => {
  const [first = ''] = error.message.split('\n');
  const cause = first.replace('Invalid TOML document: ', '');
  if (cause !== CONTROL) return REMEDIES[cause] ?? cause;
  const line = text.split(/\r?\n/)[error.line - 1] ?? '';
  return error.column > line.length
    ? 'a string is not closed in its line; end it with quotes, or put a text of several lines in three quotes on each side'
    : 'a string holds a control character; write it as an escape, such as \\u001b';
};
