/** The door of the page that shows a session in a browser. */
export { type Cluster, toClusters } from './clusters';
export { type Group, type LaneData, MARKS, type Mark, OUTCOMES, type Outcome, type PageData } from './data';
export { niceStep, toMinutes, toShortCount } from './format';
export { cutLabel, type LabelSpace, labelWidth, placeLabel, spaceAfter } from './labels';
export { type LegendEntry, legendEntries } from './legendEntries';
export { GROUPS, paletteCss } from './palette';
