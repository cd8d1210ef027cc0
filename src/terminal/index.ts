export { colours, noColours, type Paint, type Style } from './paint';
export { cutTo, padTo, widthOf, wrapTo } from './width';
