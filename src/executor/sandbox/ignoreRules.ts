/**
 * Programs such as ripgrep take a folder with a `.git` for the top of a repository, and forget the `.gitignore` files above: the placeholder in a folder of a
 * repository would change what they find. So it has these rules, as programs read them from `.git/info/exclude`; git itself takes it for no repository.
 */
import { foldersUp, inFolder } from '../../io/paths/relations';
import { fitsGlob, toGlob } from '../../streams/text/glob';
import type { SandboxFiles } from './sandboxFiles';

type Files = Pick<SandboxFiles, 'kindOf' | 'readUnlinked'>;

/** The rules of the repository around for a placeholder of `.git`, as rules of its folder; undefined if there is no repository, or for another path. */
export const ignoreRules = (files: Files, path: string): string | undefined => {
  if (!path.endsWith('/.git')) return undefined;
  const [folder = '/', ...above] = foldersUp(path.slice(0, -'/.git'.length) || '/');
  const top = above.findIndex((at) => isTop(files, at));
  if (top < 0) return undefined;
  const around = above.slice(0, top + 1).reverse();
  const exclude = ['.git', '.git/info'].every((name) => files.kindOf(inFolder(around[0] ?? '/', name)) === 'folder');
  const names = [...(exclude ? ['.git/info/exclude'] : []), ...around.map(() => '.gitignore')];
  const lines = [...(exclude ? around.slice(0, 1) : []), ...around].flatMap((at, i) => {
    const way = folder.slice(at === '/' ? 1 : at.length + 1).split('/');
    return (files.readUnlinked(inFolder(at, names[i] as string)) ?? '')
      .split(/\r?\n/)
      .slice(0, MAX_RULES)
      .flatMap((line) => below(line, way));
  });
  return lines.map((line) => `${line}\n`).join('');
};

const isTop = ({ kindOf }: Files, folder: string): boolean => {
  const git = inFolder(folder, '.git');
  return kindOf(git) === 'file' || kindOf(inFolder(git, 'HEAD')) !== undefined;
};

/** Longer lines, and more of them, are left out: a repository that nobody vouches for must not hold up a command. */
const MAX_PATTERN = 256;
const MAX_RULES = 1_000;

/** A rule of a folder as a rule of the folder to which a way leads; none if it says nothing about that one. Source: gitignore(5). */
const below = (line: string, way: readonly string[]): string[] => {
  const rule = line.length > MAX_PATTERN || line.startsWith('#') ? '' : line.replace(/(?<!\\) +$/, '');
  const not = rule.startsWith('!') ? '!' : '';
  const pattern = rule.slice(not.length);
  if (pattern === '' || !/\/./.test(pattern)) return pattern === '' ? [] : [rule]; // a name, at any depth
  const parts = pattern.replace(/^\//, '').split('/');
  if (parts[0] === '**') return [rule];
  const rest = parts.slice(way.length).join('/');
  const isOnWay = fitsGlob(toGlob(parts.slice(0, way.length).join('/')), way.join('/'));
  return isOnWay && rest !== '' ? [`${not}/${rest}`] : [];
};
