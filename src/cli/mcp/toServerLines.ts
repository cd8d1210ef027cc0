/** Shows a list of MCP servers to a person. */

import { toVisible } from '../../io/log/toPlain';
import { fillTo, widthOf } from '../../io/terminal/width';
import type { ListedServer } from './listedServers';

/** Columns for what a login is called. */
const LOGIN_WIDTH = 9;

/** A line for each server: its name, its login, its place, in columns; control characters are escaped. */
export const toServerLines = (servers: readonly Omit<ListedServer, 'url'>[]): string[] => {
  const names = servers.map(({ name }) => toVisible(name));
  const width = Math.max(0, ...names.map(widthOf));
  return servers.map(
    ({ login, place }, at) => `${fillTo(names[at] ?? '', width)}  ${fillTo(login, LOGIN_WIDTH)}  ${toVisible(place)}`,
  );
};
