export type { Chart } from './chart';
export { toDiagram, toLegend } from './diagram';
export { colours, type Lane, noColours, type Paint, styleOf } from './paint';
export { AXES, type Axis } from './svg/layout';
export { toSvg } from './svg/toSvg';
export { toTerminal } from './terminal/toTerminal';
export { toChart } from './toChart';
export { toPage } from './toPage';
export { toPageData } from './toPageData';
