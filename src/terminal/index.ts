export { colours, noColours, type Paint, type Style, toTerminalLine } from './paint';
export { cutTo, flowTo, padTo, widthOf, wrapTo } from './width';
