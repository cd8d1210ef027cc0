import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { concat, defer, of, throwError, timer } from 'rxjs';
import { libraryHere, skillsIn, watchThreads } from '../../../src/server/host/libraryHere';
import { openFolder, removeFolders } from '../../support/files';
import { marbles } from '../../support/marbles';

afterEach(removeFolders);

describe('libraryHere', () => {
  it('finds the prompts of a home, and neither hidden files, links, folders nor other files', () => {
    const home = openFolder();
    expect(libraryHere(home)).toMatchObject({});
    expect(libraryHere(home).hasPrompts()).toBe(false);
    const prompts = join(home, 'prompts');
    mkdirSync(join(prompts, 'folder.md'), { recursive: true });
    writeFileSync(join(home, 'secret'), 'a key');
    symlinkSync(join(home, 'secret'), join(prompts, 'link.md'));
    writeFileSync(join(prompts, '.hidden.md'), 'no');
    writeFileSync(join(prompts, 'notes.txt'), 'no');
    writeFileSync(join(prompts, 'large.md'), 'x'.repeat(262_145));
    expect(libraryHere(home).prompts()).toEqual([]);
    writeFileSync(join(prompts, 'b.md'), 'B');
    writeFileSync(join(prompts, 'a.md'), 'A');
    expect(libraryHere(home).hasPrompts()).toBe(true);
    expect(libraryHere(home).prompts()).toEqual([
      { name: 'a', text: 'A' },
      { name: 'b', text: 'B' },
    ]);
  });

  it('follows no link in the place of the folder of prompts', () => {
    const home = openFolder();
    mkdirSync(join(home, 'elsewhere'));
    writeFileSync(join(home, 'elsewhere', 'a.md'), 'A');
    symlinkSync(join(home, 'elsewhere'), join(home, 'prompts'));
    expect(libraryHere(home).prompts()).toEqual([]);
  });

  it('knows whether there are threads', () => {
    const home = openFolder();
    mkdirSync(join(home, 'sessions'));
    expect(libraryHere(home).hasThreads()).toBe(false);
    mkdirSync(join(home, 'sessions', '2026'));
    expect(libraryHere(home).hasThreads()).toBe(true);
  });

  it('knows a thread by its rollout, and follows no link to one', () => {
    const home = openFolder();
    const [id, other] = ['a', 'b'].map((end) => `00000000-0000-4000-8000-00000000000${end}`) as [string, string];
    const [day, elsewhere] = [join(home, 'sessions', '2026', '11', '22'), join(home, 'elsewhere')];
    for (const folder of [day, elsewhere]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(day, `rollout-2026-11-22T10-00-00-${id}.jsonl`), '');
    writeFileSync(join(elsewhere, `rollout-2026-11-22T10-00-00-${other}.jsonl`), '');
    symlinkSync(elsewhere, join(home, 'sessions', '2027'));
    const { hasThread } = libraryHere(home);
    expect([id, other].map(hasThread)).toEqual([true, false]);
  });

  it('names the folders that a path goes on with, and no hidden ones', () => {
    const root = openFolder();
    for (const name of ['work', 'world', 'other', '.ssh']) mkdirSync(join(root, name));
    writeFileSync(join(root, 'wool'), 'a file');
    const { folders } = libraryHere(root);
    expect(folders(join(root, 'wo'))).toEqual([join(root, 'work'), join(root, 'world')]);
    expect(folders(`${root}/`)).toHaveLength(3);
    expect(folders(join(root, '.s'))).toEqual([]);
    expect(folders('relative')).toEqual([]);
  });
});

describe('skillsIn', () => {
  const skill = (folder: string, head: string) => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'SKILL.md'), `---\n${head}\n---\nDo it.\n`);
  };

  it('finds the skills below its folders, the first of each name', () => {
    const [project, home] = [openFolder(), openFolder()];
    const own = join(project, '.agents', 'skills');
    skill(join(own, 'heron'), 'description: "A bird"');
    skill(join(own, 'group', 'b'), 'name: owl\ndescription: >-\n  Sees\n  at night');
    skill(join(own, 'unfinished'), 'name: x');
    skill(join(own, 'odd'), 'name: two words\ndescription: x');
    skill(join(own, '.hidden', 'c'), 'description: x');
    skill(join(home, 'skills', 'heron'), 'description: another');
    const roots = [
      [project, ['.agents', 'skills']],
      [home, ['skills']],
      [home, ['none']],
    ] as const;
    expect(skillsIn(roots)).toEqual([
      { name: 'owl', description: 'Sees at night', path: join(own, 'group', 'b', 'SKILL.md') },
      { name: 'heron', description: 'A bird', path: join(own, 'heron', 'SKILL.md') },
    ]);
  });

  it('follows no link, and looks into few folders', () => {
    const [project, secret] = [openFolder(), openFolder()];
    skill(join(secret, 'skills', 'a'), 'description: x');
    symlinkSync(secret, join(project, '.agents'));
    expect(skillsIn([[project, ['.agents', 'skills']]])).toEqual([]);
    skill(join(project, 'skills', 'deep', '1', '2', '3'), 'description: too deep');
    mkdirSync(join(project, 'skills', 'linked'));
    symlinkSync(join(secret, 'skills', 'a', 'SKILL.md'), join(project, 'skills', 'linked', 'SKILL.md'));
    expect(skillsIn([[project, ['skills']]])).toEqual([]);
  });

  it('takes of a description what a person reads, and no endless name', () => {
    const project = openFolder();
    skill(join(project, 'skills', 'long'), `description: ${'d'.repeat(200_000)}`);
    skill(join(project, 'skills', 'named'), `name: ${'n'.repeat(65)}\ndescription: x`);
    const [found, ...others] = skillsIn([[project, ['skills']]]);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ name: 'long', description: `${'d'.repeat(1_024)}…` });
  });
});

const thread = (id: string, writtenMs: number) => ({ id, writtenMs, size: 9 });

const [a, b] = [thread('a', 1), thread('b', 2)];

/** Emits these lists one after another, a list at each look; then the last one. An error is a look that fails. */
const looks = (...lists: (Error | (typeof a)[])[]) => {
  let at = 0;
  return defer(() => {
    const list = lists[Math.min(at, lists.length - 1)] ?? [];
    at += 1;
    return list instanceof Error ? throwError(() => list) : of(list);
  });
};

const after = (ms: number) => concat(timer(ms));

describe('watchThreads', () => {
  it.each([
    ['nothing if nothing changes', [[a, b]], '-', {}],
    [
      'a thread that was written',
      [
        [a, b],
        [a, thread('b', 3)],
      ],
      '2s C',
      { changed: ['b'], isListChanged: false },
    ],
    ['a thread that came', [[a], [b, a]], '2s C', { changed: ['b'], isListChanged: true }],
    ['a thread that went', [[a, b], [a]], '2s C', { changed: [], isListChanged: true }],
    [
      'what changed while it could not look',
      [[a], new Error('gone'), [b, a]],
      '4s C',
      { changed: ['b'], isListChanged: true },
    ],
  ])('emits %s', (_, lists, expected, C) =>
    marbles(({ expectObservable }) => {
      expectObservable(watchThreads({ list$: looks(...lists), after }), '^ 9s !').toBe(expected, { C });
    })(),
  );

  it(
    'looks no more after unsubscription',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const list$ = cold('(l|)', { l: [a] });
      expectObservable(watchThreads({ list$, after }), '^ 1s !').toBe('-');
      expectSubscriptions(list$.subscriptions).toBe('(^!)');
    }),
  );
});
