import { execFileSync } from 'node:child_process';
import {
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  cpSync,
  mkdirSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { grammarJsonModule } from '../../../../../tools/grammar-json-module.mjs';

const core = fileURLToPath(new URL('../../../', import.meta.url));
const folder = 'src/frontends/native';
const cli = join(core, '../../node_modules/langium-cli/bin/langium.js');

it('is generated from the grammar as it is now (npm run generate)', () => {
  const copy = mkdtempSync(join(tmpdir(), 'fencewright-generated-'));
  try {
    mkdirSync(join(copy, folder), { recursive: true });
    for (const file of ['langium-config.json', `${folder}/native.langium`])
      cpSync(join(core, file), join(copy, file));
    const config = join(copy, 'langium-config.json');
    execFileSync(process.execPath, [cli, 'generate', '--file', config, '--mode=production'], {
      stdio: 'pipe',
    });
    const fresh = join(copy, folder, 'generated');
    const grammar = readFileSync(join(fresh, 'grammar.ts'), 'utf8');
    writeFileSync(join(fresh, 'grammar-json.ts'), grammarJsonModule(grammar));
    for (const file of readdirSync(fresh))
      expect(readFileSync(join(core, folder, 'generated', file), 'utf8'), file).toBe(
        readFileSync(join(fresh, file), 'utf8'),
      );
  } finally {
    rmSync(copy, { recursive: true });
  }
});
