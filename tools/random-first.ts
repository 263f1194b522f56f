import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { isRandom } from './random-tests.mjs';

/**
 * Starts the tests on random programs first: they take longest for the size of their files, and the
 * other cores have nothing to do while the last test of a run goes on.
 */
export default class RandomFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const { root } = this.ctx.config;
    const random = new Set(sorted.filter((file) => isRandom(path.relative(root, file.moduleId))));
    return [...random, ...sorted.filter((file) => !random.has(file))];
  }
}
