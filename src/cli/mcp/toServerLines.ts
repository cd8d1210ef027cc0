/** Shows a list of MCP servers to a person. */
import type { ListedServer } from '../../app/mcpLogins/listedServers';
import { toVisible } from '../../log/toVisible';
import { fillTo, widthOf } from '../../terminal/width';

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
