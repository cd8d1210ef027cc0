/** The door of diagrams of recorded sessions: in the terminal, as a page, as SVG. */
export { type Lane, styleOf } from './laneStyles';
export { AXES, type Axis } from './svg/layout';
export { toSvg } from './svg/toSvg';
export { toTerminal } from './terminal/toTerminal';
export { toChart } from './toChart';
export { toDiagram, toLegend } from './toDiagram';
export { toPage } from './toPage';
export { toPageData } from './toPageData';
