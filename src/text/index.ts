/** The door of texts for people: the line of a command, the name that was probably meant, quotes of bounded length. */
export { clip } from './clip';
export { joinWords } from './joinWords';
export { nearest } from './nearest';
export { splitWords } from './splitWords';
