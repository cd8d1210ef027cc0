export { type Pile, toPiles } from './clusters';
export { type Group, type LaneData, MARKS, type Mark, OUTCOMES, type Outcome, type PageData } from './data';
export { niceStep, toShortCount } from './format';
export { type Explained, joinSigns } from './joinSigns';
export { cutLabel, type LabelRoom, labelWidth, placeLabel, roomsBehind } from './labels';
export { GROUPS, paletteCss } from './palette';
