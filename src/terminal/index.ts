/** The door of widths and colours of a terminal. */
export { colours, noColours, type Paint, type Style, toTerminalLine } from './paint';
export { cutTo, fillTo, flowTo, padTo, widthOf, wrapTo } from './width';
