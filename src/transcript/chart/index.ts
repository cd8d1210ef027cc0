export type { Chart, ChartMarble, Span } from './chart';
export { AXES, type Axis } from './svg/layout';
export { type SvgOptions, toSvg } from './svg/toSvg';
export { toChart } from './toChart';
export { toPage } from './toPage';
export { toPageData } from './toPageData';
export { toTerminal } from './toTerminal';
