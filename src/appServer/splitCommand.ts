/** Owns taking a shell-quoted command line apart; expands nothing. */

const WORD = /(?:[^\s'"\\]+|'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]?|['"])+/g;
const PART = /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S]?)|([^'"\\]+|['"])/g;

/** The words of a command line as a POSIX shell would see them; an open quote counts as itself. */
export const splitCommand = (line: string): string[] =>
  (line.match(WORD) ?? []).map((word) =>
    [...word.matchAll(PART)]
      .map(([, single, double, escaped, plain]) => {
        if (double !== undefined) return double.replace(/\\(["\\$`])/g, '$1').replaceAll('\\\n', '');
        return single ?? escaped ?? plain;
      })
      .join(''),
  );
