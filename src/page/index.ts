export { type Pile, toPiles } from './clusters';
export { type Group, type LaneData, MARKS, type Mark, OUTCOMES, type Outcome, type PageData } from './data';
export { niceStep } from './format';
export { GROUPS, paletteCss } from './palette';
