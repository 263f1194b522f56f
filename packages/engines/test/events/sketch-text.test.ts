import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import { enumerateEventTraces } from '@fencewright/reference/definitions/enumerate-event-traces.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { eventModel } from '@fencewright/model/program/model.js';
import { eventSketchText } from '@fencewright/reference/testing/event-sketch-text.js';
import { randomEventProgram } from '@fencewright/reference/testing/random-event-program.js';

const runs = randomRuns(25, 1250, 8);
const seed = randomSeed(20180509);

test(`the text of ${runs} random event programs means what they mean`, () => {
  for (let i = 0; i < runs; i++) {
    const { program, sketch } = randomEventProgram(new SeededRandom(seed + i), {
      maxAccesses: 7,
    });
    const text = eventSketchText(sketch, program);
    const { model, diagnostics } = parseNative(text);
    const read = eventModel(model)?.program;
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    expect(errors, text).toEqual([]);
    for (const semantics of ['single', 'SC', 'TSO'] as const) {
      const [direct, again] = [program, read!].map((each) =>
        enumerateEventTraces(each, semantics, { maxStates: 1500 }),
      );
      if (!direct!.isComplete || !again!.isComplete) continue;
      const said = ({ finalStates, traces, unserialisable, cyclic }: typeof direct & object) => ({
        finalStates,
        traces,
        isSerialisable: unserialisable === undefined,
        isCyclic: cyclic !== undefined,
      });
      expect(said(again!), text).toEqual(said(direct!));
    }
  }
});
