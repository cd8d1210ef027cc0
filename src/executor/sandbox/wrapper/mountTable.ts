/** Reads the table of mounts that the kernel shows. Source: proc_pid_mountinfo(5). */
import { isWithin } from '../../../streams/text/isWithin';

/** `target` shows what lies at `root` of the file system `device`; it is mounted on a folder of `parent`. Paths are escaped as in the table. */
export type MountRow = { id: string; parent: string; device: string; root: string; target: string; type: string };

/** Lines of another shape are left out. */
export const readMountTable = (text: string): MountRow[] =>
  text.split('\n').flatMap((line) => {
    const [id, parent, device, root, target, , ...rest] = line.split(' ');
    const type = rest[rest.indexOf('-') + 1];
    return id && parent && device && root && target && type ? [{ id, parent, device, root, target, type }] : [];
  });

/** A path as the table writes it. */
export const toEscaped = (path: string): string =>
  path.replace(/[ \t\n\\]/g, (letter) => `\\${letter.charCodeAt(0).toString(8).padStart(3, '0')}`);

/** The mount that shows an escaped path without links; undefined where no row is the root. */
export type FindMount = (path: string) => MountRow | undefined;

/** Follows paths from the root: the first mount on the way leads on, and covers what lies below it in the same folder. */
export const findMount = (rows: readonly MountRow[]): FindMount => {
  const ids = new Set(rows.map(({ id }) => id));
  const children = new Map<string, MountRow[]>();
  for (const row of rows) children.set(row.parent, [...(children.get(row.parent) ?? []), row]);
  const next = ({ id }: MountRow, path: string): MountRow | undefined =>
    (children.get(id) ?? [])
      .filter((child) => child.id !== id && isWithin(child.target, path))
      .sort((a, b) => a.target.length - b.target.length)[0];
  const root = rows.find(({ target, parent, id }) => target === '/' && (parent === id || !ids.has(parent)));
  return (path) => {
    let mount = root;
    for (let on = root && next(root, path); on !== undefined; on = next(on, path)) mount = on;
    return mount;
  };
};

/** Where in its file system a path lies that this mount shows. */
export const rootAt = ({ root, target }: MountRow, path: string): string => {
  const rest = target === '/' ? path.slice(1) : path.slice(target.length + 1);
  if (rest === '') return root;
  return root === '/' ? `/${rest}` : `${root}/${rest}`;
};
