export { toStats } from './toStats';
export { toStatsTable } from './toStatsTable';
