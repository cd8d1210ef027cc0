/**
 * The door of texts for people: command lines, the name that was probably meant, quotes of limited length, counts, pieces, the
 * reason of a failure, addresses, paths.
 */
export { clip } from './clip';
export { counted } from './counted';
export { fileReasonOf } from './fileReasonOf';
export { gitdirOf } from './gitdirOf';
export { isWithin } from './isWithin';
export { joinWords } from './joinWords';
export { nearest } from './nearest';
export { isPlainName, PLAIN_NAME } from './plainName';
export { reasonOf } from './reasonOf';
export { splitOverride } from './splitOverride';
export { splitWords } from './splitWords';
export { systemRemedy } from './systemRemedy';
export { tokenize } from './tokenize';
export { withoutEndBreaks } from './withoutEndBreaks';
export { withoutEndSlash } from './withoutEndSlash';
export { withoutLogin } from './withoutLogin';
