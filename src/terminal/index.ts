export { colours, noColours, type Paint, type Style, toTerminalLine } from './paint';
export { cutTo, padTo, widthOf, wrapTo } from './width';
