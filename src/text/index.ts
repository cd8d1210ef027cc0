/** The door of texts for people: the line of a command, and the name that was probably meant. */
export { joinWords } from './joinWords';
export { nearest } from './nearest';
export { splitWords } from './splitWords';
