export { toStats } from './toStats';
export { toStatsJson, toStatsTable } from './toStatsTable';
