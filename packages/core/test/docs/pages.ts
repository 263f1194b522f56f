import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** The pages of the repository, by their paths from its root. */
export const pages = [
  ...['.', 'docs', 'docs/adr', 'corpus', 'corpus/table2', 'bench'],
  ...readdirSync(path.join(root, 'packages')).map((name) => `packages/${name}`),
].flatMap((folder) =>
  existsSync(path.join(root, folder))
    ? readdirSync(path.join(root, folder))
        .filter((name) => name.endsWith('.md'))
        .map((name) => path.join(folder, name))
    : [],
);
