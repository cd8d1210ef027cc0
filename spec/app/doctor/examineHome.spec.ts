import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { examineHome } from '../../../src/app/doctor/examineHome';
import { removeHomes } from '../../support/home';
import { wired } from '../engines/wiring';

afterAll(removeHomes);

const codexHome = () => wired().wiring.processInfo.codexHome;

describe('examineHome', () => {
  it('writes to it, and leaves no lock', () => {
    const home = codexHome();
    expect(examineHome({ codexHome: home })).toEqual({ text: `${home} can be written` });
    expect(readdirSync(join(home, 'codex-rx/locks'))).toEqual([]);
  });

  it('throws where it cannot be written', () => {
    const home = codexHome();
    writeFileSync(join(home, 'codex-rx'), '');
    expect(() => examineHome({ codexHome: home })).toThrow(/codex-rx is not a folder/);
  });
});
